"""The manual page and the shells' completions have every option of --help, and work in the programs they are for."""
import re
import shutil
import subprocess

import pytest
from installations import APPYC

pytestmark = pytest.mark.xdist_group("package")


def printed(*options):
    return subprocess.run([APPYC, *options], capture_output=True, text=True, check=True).stdout


def options_of_help():
    """{each way to begin an option: the words that its value may be}, read from the text of --help."""
    found = {}
    for row in re.findall(r"^  (-\S.*?)  ", printed("--help"), flags=re.M):
        for written in re.split(r", (?=-)", row.strip()):
            name, value = re.fullmatch(r"(-W(?:no-)?(?=[A-Z]+$)|-[^ =[]+)\[?[ =]?(.*?)\]?", written).groups()
            found[name] = [word for word in value.split("|") if word.islower()] if "|" in value else []
    return found


OPTIONS = options_of_help()
PLAIN = [name for name in OPTIONS if not name.startswith("-W")]


def test_help_is_understood():
    """What the other tests go by: names of options and nothing else."""
    assert len(OPTIONS) > 40 and {"-o", "--target", "-MQ", "-W", "-Wno-", "-Werror", "-dumpversion", "--header"} <= OPTIONS.keys()
    assert all(re.fullmatch(r"--?[a-zA-Z][a-zA-Z-]*", name) for name in OPTIONS)
    assert OPTIONS["--fmad"] == ["on", "off"] and not OPTIONS["--schedule"]


def test_manual_page():
    text = printed("--help-man")
    for name in OPTIONS:
        assert rf"\fB{name}\fR".replace("-", r"\-") in text
    if shutil.which("man"):
        done = subprocess.run(["man", "--warnings=w", "-l", "-"], input=text, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and not done.stderr
        shown = re.sub(r".\x08", "", done.stdout)
        assert all(re.search(rf"^ +(\S.*, )?{name}\b", shown, flags=re.M) for name in PLAIN)
        assert "f(f64, f64[N])'" in shown


def bash_offers(*words):
    """What bash offers for the last word; bash takes `=` for a word of its own."""
    program = ('eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _appyc;'
               'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", program, "bash", printed("--completion=bash"), "appyc", *words],
                          capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.split()


def test_bash(tmp_path, monkeypatch):
    (tmp_path / "kernel.py").touch()
    (tmp_path / "other.txt").touch()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert {word.rstrip("=") for word in bash_offers("-")} >= set(OPTIONS)
    for name, words in OPTIONS.items():
        if words:
            assert set(words) <= set(bash_offers(name, "=", "")) and set(words) <= set(bash_offers(name, "="))
            assert bash_offers(name, "=", words[0][:-1])[0] == words[0]
    assert bash_offers("") == ["kernel.py", "folder"]
    assert "other.txt" in bash_offers("-o", "")
    assert "-Wno-assumed" in bash_offers("-Wno-as")
    assert "fuse-loops" in bash_offers("--print-after", "=", "fuse")
    assert bash_offers("--tar") == ["--target="]


def test_zsh():
    text = printed("--completion=zsh")
    assert text.startswith("#compdef appyc\n")
    for name, words in OPTIONS.items():
        (entry,) = re.findall(rf"^  '\*{name}[-=]*\[(.*)' \\$", text, flags=re.M)
        assert all(re.search(rf"[( ]{word}[ )]", entry) for word in words)
    if shutil.which("zsh"):
        subprocess.run(["zsh", "-n"], input=text, text=True, check=True)


def test_fish():
    text = printed("--completion=fish")
    for name, words in OPTIONS.items():
        if name in ("-W", "-Wno-"):
            assert f" {name}assumed" in text
            continue
        kind = "-l" if name.startswith("--") else "-s" if len(name) == 2 else "-o"
        (entry,) = re.findall(rf"^complete -c appyc {kind} {name.lstrip('-')} .*$", text, flags=re.M)
        assert all(re.search(rf"[' ]{word}[' ]", entry) for word in words)
    if shutil.which("fish"):
        subprocess.run(["fish", "-n"], input=text, text=True, check=True)


def test_unknown_shell():
    done = subprocess.run([APPYC, "--completion=csh"], capture_output=True, text=True)
    assert done.returncode == 2 and "bash, zsh, fish" in done.stderr


def test_are_installed_where_they_are_looked_for(installed):
    share = installed.prefix / "share"
    for path, option in (("man/man1/appyc.1", "--help-man"), ("bash-completion/completions/appyc", "--completion=bash"),
                         ("zsh/site-functions/_appyc", "--completion=zsh"),
                         ("fish/vendor_completions.d/appyc.fish", "--completion=fish")):
        assert (share / path).read_text(encoding="utf-8") == printed(option)
