"""What the rows of a run say: medians, spreads, ratios."""
import statistics

from contenders import LIMIT


class Results:
    def __init__(self, rows):
        self.rows = rows

    def cases(self, prefix):
        """Names of cases under a prefix, and what follows it, in the order in which they ran."""
        return [(case, case.split("/", 1)[1]) for case in self.rows if case.startswith(prefix + "/")]

    def names(self, *cases):
        """Who took part, in order."""
        return list(dict.fromkeys(name for case in cases for name in self.rows.get(case, {})))

    def values(self, case, name, what):
        rows = self.rows.get(case, {}).get(name, [])
        return [row[what] for row in rows if row.get(what) is not None]

    def median(self, case, name, what="calls_per_second"):
        values = self.values(case, name, what)
        return statistics.median(values) if values else None

    def spread(self, case, name, what="calls_per_second"):
        """How far the rounds lie apart, of their median."""
        values = self.values(case, name, what)
        middle = statistics.median(values) if values else 0
        return (max(values) - min(values)) / middle if middle else None

    def ratio(self, case, name, other=LIMIT, what="calls_per_second"):
        return divided(self.median(case, name, what), self.median(case, other, what))

    def difference(self, case, name, other, what):
        """How much more the one has than the other."""
        values = self.median(case, name, what), self.median(case, other, what)
        return None if None in values else values[0] - values[1]

    def best(self, case, names, what="calls_per_second"):
        """The highest median among those."""
        found = [value for value in (self.median(case, name, what) for name in names) if value is not None]
        return max(found) if found else None

    def failures(self):
        """Where calls failed or went unanswered: case, name, why."""
        for case, names in self.rows.items():
            for name, rows in names.items():
                for row in rows:
                    if "error" in row or row.get("failures") or row.get("stuck"):
                        yield case, name, row.get("error") or row.get("first_failure") or f"{row['stuck']} unanswered"
                        break


def divided(value, by):
    return value / by if value is not None and by else None
