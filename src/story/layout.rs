//! Text in columns and paragraphs, measured as a terminal shows it: an East Asian character is two columns wide.

use unicode_width::UnicodeWidthStr;

/// The columns of a page.
pub(super) const WIDTH: usize = 80;

/// Where the text of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Rows of cells under a heading.
pub(super) struct Grid {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// A grid with the heads of its columns.
    pub(super) fn new(heads: impl IntoIterator<Item = (Align, String)>) -> Self {
        let (columns, heads) = heads.into_iter().unzip();
        Self { columns, rows: vec![heads] }
    }

    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The lines, a rule under the heads.
    pub(super) fn lines(&self) -> Vec<String> {
        let width_of = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or_default()
        };
        let widths: Vec<_> = (0..self.columns.len()).map(width_of).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(self.columns.iter().zip(&widths));
            let cells: Vec<_> = cells.map(|(cell, (align, width))| pad(cell, *width, *align)).collect();
            cells.join("  ").trim_end().to_owned()
        };
        let mut lines: Vec<_> = self.rows.iter().map(line).collect();
        let rule = widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("  ");
        lines.insert(lines.len().min(1), rule);
        lines
    }
}

/// `text` in a column of `width`.
pub(super) fn pad(text: &str, width: usize, align: Align) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    match align {
        Align::Left => format!("{text}{space}"),
        Align::Right => format!("{space}{text}"),
    }
}

/// A paragraph in lines that fit the page, the first beginning with `label`, the others as far indented as it is wide.
pub(super) fn paragraph(label: &str, text: &str) -> Vec<String> {
    let indent = label.width();
    let (mut lines, mut line, mut width) = (Vec::new(), label.to_owned(), indent);
    for word in text.split_inclusive([' ', '、', '。']) {
        if width > indent && width + word.trim_end().width() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            width = indent;
        }
        line.push_str(word);
        width += word.width();
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Align, Grid, paragraph};

    #[test]
    fn a_wide_character_counts_twice() {
        let mut grid = Grid::new([(Align::Left, "陣営".to_owned()), (Align::Right, "VP".to_owned())]);
        grid.push(vec!["薔薇の家".to_owned(), "7".to_owned()]);
        grid.push(vec!["Eagle".to_owned(), "12".to_owned()]);
        assert_eq!(grid.lines(), ["陣営      VP", "--------  --", "薔薇の家   7", "Eagle     12"]);
    }

    #[test]
    fn a_paragraph_goes_on_under_its_text() {
        let lines = paragraph("Pile: ", &["22"; 30].join(" "));
        assert_eq!(lines.len(), 2);
        assert!(lines[0].len() <= 80);
        assert_eq!(lines[1], format!("      {}", ["22"; 5].join(" ")));
        let lines = paragraph("", &"反逆者、".repeat(11));
        assert_eq!(lines, ["反逆者、".repeat(10), "反逆者、".to_owned()]);
    }
}
