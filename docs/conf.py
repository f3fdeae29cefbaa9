"""The Sphinx configuration of the site: `make docs` builds it into build/docs."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import catan_env  # noqa: E402

project = "catan_env"
author = "The catan_env authors"
copyright = "the catan_env authors, MIT licence"
release = version = catan_env.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "docs.site.extension"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["generate", "site"]
default_role = "code"
nitpicky = True
# Annotations name classes of NumPy, Gymnasium and internal modules, whose pages are not here.
nitpick_ignore_regex = [("py:.*", ".*")]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
add_module_names = False
python_maximum_signature_line_length = 80

smartquotes = False
html_theme = "furo"
html_title = f"catan_env {release}"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .go, .gt"
