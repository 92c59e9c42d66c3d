"""The command line: labsupport lab | check | progress | build | bundle | doctor."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from labsupport.checking.declare import CourseError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code: 0 when all is well, 1 when not, 2 for words it does not know."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command is not _lab:
        parser.error(f"unknown words: {' '.join(rest)}")
    options.rest = rest
    try:
        return options.command(options)
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader, `head` for instance, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="labsupport", description="Support for the positional-encoding labs.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    lab = commands.add_parser("lab", help="open the course in JupyterLab; further words are passed on to it")
    lab.set_defaults(command=_lab)
    check = commands.add_parser("check", help="run the cells of a notebook file and check every exercise of it")
    check.add_argument("notebook", type=Path, nargs="+")
    check.set_defaults(command=_check)
    commands.add_parser("progress", help="show your progress").set_defaults(command=_progress)
    doctor = commands.add_parser("doctor", help="say what is wrong with this environment")
    doctor.set_defaults(command=_doctor)
    build = commands.add_parser("build", help="(authors) make everything from the solutions' text")
    build.add_argument("names", nargs="*", metavar="NAME", help="for example 05_rotary; all without")
    build.add_argument("--check", action="store_true", help="change nothing, say what is out of date")
    build.add_argument("--force", action="store_true", help="replace edited student notebooks, keeping a dated copy")
    build.set_defaults(command=_build)
    bundle = commands.add_parser("bundle", help="(instructors) write what learners are given")
    bundle.add_argument("--out", type=Path, default=Path("dist"), metavar="FOLDER")
    bundle.add_argument("--no-hints", action="store_true")
    bundle.set_defaults(command=_bundle)
    return parser


def _lab(options: argparse.Namespace) -> int:
    from labsupport.lab import open_lab

    return open_lab(options.rest)


def _check(options: argparse.Namespace) -> int:
    from labsupport.check_file import check_file

    return max(check_file(path) for path in options.notebook)


def _progress(_: argparse.Namespace) -> int:
    from labsupport import progress

    print(progress(), flush=True)
    return 0


def _doctor(_: argparse.Namespace) -> int:
    from labsupport.doctor import examine, report

    findings = examine()
    print(report(findings))
    return 0 if all(f.ok for f in findings) else 1


def _build(options: argparse.Namespace) -> int:
    author_tools()
    from labsupport.authoring import build

    report = build.check(options.names) if options.check else build.build(options.names, force=options.force)
    for line in report.written:
        print(f"wrote {line}")
    for line in report.problems:
        print(line, file=sys.stderr)
    if options.check and report.problems:
        print("Run `make build`.", file=sys.stderr)
    return 1 if report.problems else 0


def _bundle(options: argparse.Namespace) -> int:
    author_tools()
    from labsupport.authoring.bundle import bundle

    print(bundle(options.out, hints=not options.no_hints))
    return 0


def author_tools() -> None:
    """Say in one sentence what is missing where only a learner's packages are installed."""
    try:
        import jupytext  # noqa: F401
        import nbgrader  # noqa: F401
    except ImportError as missing:
        raise CourseError(
            f"{missing.name} is not installed: this command is for authors, run `make test` or `make build` once."
        ) from None
