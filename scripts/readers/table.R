# Reads a TSV file with data.table and writes it again: table.R FROM TO
library(data.table)
files <- commandArgs(trailingOnly = TRUE)
records <- fread(file = files[1], header = TRUE, sep = "\t", quote = "", na.strings = NULL, strip.white = FALSE,
                 encoding = "UTF-8", colClasses = "character")
fwrite(records, files[2], sep = "\t", quote = FALSE, na = "", eol = "\n")
