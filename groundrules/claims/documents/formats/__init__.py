"""The text of HTML, PDF and docx files."""
