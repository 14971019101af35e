"""Documents as files for the office."""

from console.matters.exporting.docx import claims_docx
from console.matters.exporting.names import export_name

__all__ = ["claims_docx", "export_name"]
