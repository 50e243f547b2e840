"""Adds Seam's search to an MkDocs site."""

import os
import subprocess

from mkdocs.config import base
from mkdocs.config import config_options as option
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin

LISTS = ("body", "ignore", "include", "exclude", "folders")


class Options(base.Config):
    program = option.Optional(option.Type(str))
    out = option.Type(str, default="seam")
    body = option.Type((str, list), default=[])
    ignore = option.Type((str, list), default=[])
    include = option.Type((str, list), default=[])
    exclude = option.Type((str, list), default=[])
    folders = option.Type((str, list), default=[])


class Seam(BasePlugin[Options]):
    def on_config(self, config):
        """Adds the script to the pages, and the element to the header of Material for MkDocs."""
        script = option.ExtraScriptValue(f"{self.config.out}/widget.js")
        script.type = "module"
        config.extra_javascript.append(script)
        ours = os.path.join(os.path.dirname(__file__), "theme")
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, ours)
        config.extra["seam"] = {"out": self.config.out}
        return config

    def on_post_build(self, *, config):
        """Runs `seam index` on the built site."""
        program = self.config.program or os.environ.get("SEAM") or "seam"
        site = config.site_dir
        command = [program, "index", "--site", site, "--out", os.path.join(site, self.config.out)]
        for name in LISTS:
            values = self.config[name]
            command += [f"--{name}={value}" for value in ([values] if isinstance(values, str) else values)]
        try:
            status = subprocess.run(command).returncode
        except FileNotFoundError:
            raise PluginError(f"mkdocs-seam: there is no program {program}: put seam into the PATH, or name it by the option program or the variable SEAM")
        except OSError as e:
            raise PluginError(f"mkdocs-seam: {program} could not be run: {e.strerror}")
        if status != 0:
            raise PluginError(f"mkdocs-seam: {program} index failed, see above")
