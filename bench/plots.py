"""Plots as SVG, written by hand. Colours and text follow the reader's light or dark theme."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 340
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 50, 44
ROW = 18  # Of the legend.
# Distinguishable with colour blindness and on both backgrounds.
COLOURS = ["#7f7f7f", "#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e", "#a6761d"]
STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; } .title { font-size: 15px; font-weight: 600; }
.axis { stroke: #6e7781; } .grid { stroke: #d0d7de; stroke-width: .6; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .axis { stroke: #8b949e; } .grid { stroke: #30363d; } }
</style>"""


class Axis:
    """Maps values to pixels, logarithmic or linear from zero."""

    def __init__(self, values, first, last, log):
        self.log, self.first, self.last = log, first, last
        if log:
            self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
            self.high = max(self.high, self.low + 1)
        else:
            self.low, self.high = 0, max(values) * 1.1

    def at(self, value):
        position = math.log10(value) if self.log else value
        return self.first + (position - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self):
        if self.log:
            return [10**power for power in range(self.low, self.high + 1)]
        return [self.high * part / 5 for part in range(6)]


def short(value):
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:g} {unit}"
    return f"{value:.3g}"


class Plot:
    def __init__(self, title, y_values, y_log, y_title):
        self.height = HEIGHT
        self.parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>']
        self.y = Axis(y_values, HEIGHT - BOTTOM, TOP, y_log)
        for tick in self.y.ticks():
            at = self.y.at(tick)
            self.parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
            self.text(LEFT - 8, at + 4, short(tick), "end")
        self.text(LEFT, TOP - 8, y_title, "start")
        self.line("axis", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM)

    def line(self, kind, x1, y1, x2, y2):
        self.parts.append(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def text(self, x, y, text, anchor="middle"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>')

    def legend(self, names, first=0):
        """Draws the legend below the plot."""
        x, self.height = LEFT, HEIGHT + ROW
        for index, name in enumerate(names):
            width = 34 + 7 * len(name)
            if x > LEFT and x + width > WIDTH - RIGHT:
                x, self.height = LEFT, self.height + ROW
            colour = COLOURS[(first + index) % len(COLOURS)]
            self.parts.append(f'<rect x="{x}" y="{self.height - 15}" width="11" height="11" rx="2" fill="{colour}"/>')
            self.text(x + 16, self.height - 5, name, "start")
            x += width

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" role="img">\n{STYLE}\n' +
                "\n".join(self.parts) + "\n</svg>\n")


def bars(title, groups, series, y_title, log=True):
    """`series` maps each name to one value per group, or None."""
    values = [value for row in series.values() for value in row if value]
    if not values:
        return None
    plot = Plot(title, values, log, y_title)
    width = (WIDTH - LEFT - RIGHT) / len(groups)
    bar = width * 0.8 / len(series)
    for number, group in enumerate(groups):
        start = LEFT + number * width + width * 0.1
        plot.text(start + width * 0.4, HEIGHT - BOTTOM + 18, group)
        for index, row in enumerate(series.values()):
            if row[number]:
                top = plot.y.at(row[number])
                plot.parts.append(f'<rect x="{start + index * bar:.1f}" y="{top:.1f}" width="{bar * 0.92:.1f}" '
                                  f'height="{HEIGHT - BOTTOM - top:.1f}" fill="{COLOURS[index % len(COLOURS)]}"/>')
                plot.text(start + (index + 0.46) * bar, top - 3, short(float(f"{row[number]:.2g}")).replace(" ", ""))
    plot.legend(series)
    return plot.svg()


def lines(title, x_title, series, y_title, log_y=True):
    """`series` maps each name to pairs of x and y; x is logarithmic."""
    points = [point for row in series.values() for point in row if point[1]]
    if not points:
        return None
    plot = Plot(title, [y for _, y in points], log_y, y_title)
    x_axis = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT, True)
    for tick in x_axis.ticks():
        plot.line("grid", x_axis.at(tick), TOP, x_axis.at(tick), HEIGHT - BOTTOM)
        plot.text(x_axis.at(tick), HEIGHT - BOTTOM + 16, short(tick))
    plot.text((LEFT + WIDTH) / 2, HEIGHT - 8, x_title)
    for index, row in enumerate(series.values()):
        colour = COLOURS[(index + 1) % len(COLOURS)]
        placed = [(x_axis.at(x), plot.y.at(y)) for x, y in row if y]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        plot.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        plot.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in placed]
    plot.legend(series, first=1)
    return plot.svg()
