#!/usr/bin/python3
"""A window of WebKitGTK for WebDriver, which keeps what pages store.

MiniBrowser, which WebKitGTK brings, keeps nothing while it is driven: pages
find themselves in a private window.

    webkit-window.py FOLDER DOWNLOADS [FEATURE ...]

Without a FOLDER it is a private window, too.
"""

import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

home, downloads, wanted = sys.argv[1], sys.argv[2], set(sys.argv[3:])

data = WebKit2.WebsiteDataManager.new_ephemeral() if not home else WebKit2.WebsiteDataManager(base_data_directory=os.path.join(home, "data"), base_cache_directory=os.path.join(home, "cache"))
context = WebKit2.WebContext.new_with_website_data_manager(data)
context.set_automation_allowed(True)

settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)
features = WebKit2.Settings.get_all_features()
for feature in (features.get(i) for i in range(features.get_length())):
    if feature.get_identifier() in wanted:
        settings.set_feature_enabled(feature, True)
        wanted.discard(feature.get_identifier())
if wanted:
    sys.exit(f"this WebKit has no {', '.join(wanted)}")

window = Gtk.Window(default_width=1440, default_height=950)
tabs = Gtk.Notebook(show_border=False)
window.add(tabs)
window.connect("destroy", Gtk.main_quit)


def view(*_):
    """One more tab."""
    made = WebKit2.WebView(web_context=context, settings=settings, is_controlled_by_automation=True)
    made.connect("close", tabs.remove)
    made.show()
    tabs.set_current_page(tabs.append_page(made, None))
    tabs.set_show_tabs(False)
    window.show_all()
    return made


def started(_, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("Seam")
    info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(info)
    session.connect("create-web-view::window", view)
    session.connect("create-web-view::tab", view)


def download(_, item):
    def decide(_, name):
        item.set_destination(f"file://{os.path.join(downloads, name)}")
        return True

    item.connect("decide-destination", decide)


context.connect("automation-started", started)
context.connect("download-started", download)
Gtk.main()
