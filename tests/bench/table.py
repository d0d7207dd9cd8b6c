"""Tables in two forms: aligned text, where a verdict stands beside each figure that something is wanted of, and Markdown, where a figure
that misses what is wanted is bold."""
VERDICT = 6  # the verdict's place in a column of text


class Figure:
    """A number as text, and the verdict on it: "ok", what it is instead, or nothing."""

    def __init__(self, text="–", verdict=""):
        self.text, self.verdict = text, verdict

    def plain(self, width):
        return f"{self.text:>{width - VERDICT}s} {self.verdict:{VERDICT - 1}s}" if self.verdict else f"{self.text:>{width}s}"

    def markdown(self):
        return f"**{self.text}**" if self.verdict not in ("", "ok") else self.text


def at_least(value, wanted):
    return Figure(f"{value:.2f}", "" if wanted is None else "ok" if round(value, 2) >= wanted else "BELOW")


def at_most(value, wanted, digits=2):
    return Figure(f"{value:.{digits}f}", "" if wanted is None else "ok" if round(value, digits) <= wanted else "ABOVE")


def duration(seconds):
    return f"{1e6 * seconds:.1f} µs" if seconds < 1e-3 else f"{1e3 * seconds:.2f} ms"


class Table:
    """Prints its rows as they come. Columns are pairs of a title and a width in text; the first stands on the left."""

    def __init__(self, columns, markdown):
        self.columns, self.markdown, self.begun = columns, markdown, False

    def row(self, *cells):
        if not self.begun:
            self.begun = True
            self.row(*(title for title, _ in self.columns))
            if self.markdown:
                print("| --- |" + " ---: |" * (len(self.columns) - 1))
        figures = [cell if isinstance(cell, Figure) else Figure(cell) for cell in cells]
        if self.markdown:
            print("| " + " | ".join(f.markdown() for f in figures) + " |", flush=True)
        else:
            first = f"{figures[0].text:{self.columns[0][1]}s}"
            others = (f.plain(width) for f, (_, width) in zip(figures[1:], self.columns[1:]))
            print((first + "".join(others)).rstrip(), flush=True)
