"""A report as an Excel workbook in which every figure is a live formula with its stored value."""
