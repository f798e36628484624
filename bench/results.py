"""Medians, spreads and ratios of the rows of a run."""
import statistics

from contenders import LIMIT


class Results:
    def __init__(self, rows):
        self.rows = rows

    def cases(self, prefix):
        """Case names with a prefix and their suffixes, in the order of execution."""
        return [(case, case.split("/", 1)[1]) for case in self.rows if case.startswith(prefix + "/")]

    def names(self, *cases):
        """Names of the contenders, in order."""
        return list(dict.fromkeys(name for case in cases for name in self.rows.get(case, {})))

    def values(self, case, name, what):
        rows = self.rows.get(case, {}).get(name, [])
        return [row[what] for row in rows if row.get(what) is not None]

    def median(self, case, name, what="calls_per_second"):
        values = self.values(case, name, what)
        return statistics.median(values) if values else None

    def spread(self, case, name, what="calls_per_second"):
        """Spread of the rounds relative to their median."""
        values = self.values(case, name, what)
        middle = statistics.median(values) if values else 0
        return (max(values) - min(values)) / middle if middle else None

    def ratio(self, case, name, other=LIMIT, what="calls_per_second"):
        return divided(self.median(case, name, what), self.median(case, other, what))

    def paired_ratio(self, case, name, other, what):
        """The median of the ratios of each round: a machine that is busier in some rounds does not change it."""
        values = zip(self.values(case, name, what), self.values(case, other, what))
        ratios = [value / base for value, base in values if base]
        return statistics.median(ratios) if ratios else None

    def difference(self, case, name, other, what):
        """Difference of the medians."""
        values = self.median(case, name, what), self.median(case, other, what)
        return None if None in values else values[0] - values[1]

    def best(self, case, names, what="calls_per_second"):
        """The highest median of these names."""
        found = [value for value in (self.median(case, name, what) for name in names) if value is not None]
        return max(found) if found else None

    def failures(self):
        """Cases with failed or unanswered calls: case, name, reason."""
        for case, names in self.rows.items():
            for name, rows in names.items():
                for row in rows:
                    if "error" in row or row.get("failures") or row.get("stuck"):
                        yield case, name, row.get("error") or row.get("first_failure") or f"{row['stuck']} unanswered"
                        break


def divided(value, by):
    return value / by if value is not None and by else None
