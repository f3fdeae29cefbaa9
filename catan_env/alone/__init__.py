"""The live table's page without a server: rules and policy are in the page, as WebAssembly."""

from catan_env.alone.module import built_module
from catan_env.alone.page import alone_html

__all__ = ["alone_html", "built_module"]
