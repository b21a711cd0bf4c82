"""A progress bar of one line, on a terminal only."""

import shutil
import time


class Bar:
    """Shows how far a training is, how fast it goes and how long it will take. Where stream is no terminal: nothing."""

    def __init__(self, stream, total, done=0, clock=time.monotonic):
        self.stream, self.total, self.done, self.clock = stream, total, done, clock
        self.start, self.shown = clock(), None
        self.on = stream.isatty()

    def show(self, step, text):
        """Draw the line again, ten times a second at most. step: steps made. text: what else to tell."""
        now = self.clock()
        if self.on and (self.shown is None or now - self.shown >= 0.1):
            self.shown = now
            rate = (step - self.done) / max(now - self.start, 1e-9)
            width = shutil.get_terminal_size().columns - 1  # the last column would begin a new line
            self.stream.write("\r" + line(step, self.total, rate, text, width) + "\x1b[K")
            self.stream.flush()

    def clear(self):
        """Take the line away, before something else is printed."""
        if self.on and self.shown is not None:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.shown = None


def line(step, total, rate, text, width):
    """The line, at most ``width`` characters. rate: steps a second, of this run; 0 where none was measured."""
    left = f"{clock_time((total - step) / rate)} left" if rate > 0 else ""
    numbers = f" {step:,}/{total:,}  {rate:.1f} steps/s  {text}  {left}"
    cells = min(30, width - len(numbers) - 2)
    if cells < 1:
        return numbers[1:width + 1]
    full = cells * step // total
    return f"[{'#' * full}{' ' * (cells - full)}]{numbers}"


def clock_time(seconds):
    """Seconds as 1:02:03 or 2:03."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
