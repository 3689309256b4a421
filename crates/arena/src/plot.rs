//! Bars with intervals, as SVG: groups of bars beside each other, ours and a paper's.

use std::fmt::Write;

/// A chart of shares in per cent.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above everything.
    pub title: String,
    /// What the bars of a group stand for, in order.
    pub series: Vec<String>,
    /// The groups from left to right.
    pub groups: Vec<Group>,
}

/// Bars side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What stands below.
    pub label: String,
    /// For each series a value and half its interval, both in per cent; none where there is none.
    pub bars: Vec<Option<(f64, f64)>>,
}

const COLOURS: [&str; 6] = ["#2563eb", "#9ca3af", "#059669", "#d97706", "#7c3aed", "#dc2626"];
const BAR: f64 = 16.0;
const GAP: f64 = 26.0;
/// Room for the numbers at the left, if no label needs more.
const LEFT: f64 = 46.0;
/// How wide a letter of a label is, about.
const LETTER: f64 = 6.6;
/// How far labels lean, in degrees.
const LEAN: f64 = 25.0;
const TOP: f64 = 56.0;
const HEIGHT: f64 = 240.0;

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let group_width = BAR * self.series.len().max(1) as f64 + GAP;
        // Labels lean to the left and down: by as much they reach over the edges of the bars.
        let reach = |group: &Group| LETTER * group.label.chars().count() as f64;
        let lean = LEAN.to_radians();
        let over =
            |(place, group): (usize, &Group)| reach(group) * lean.cos() - group_width * (place as f64 + 0.5);
        let left = self.groups.iter().enumerate().map(over).fold(LEFT, f64::max) + 4.0;
        let longest = self.groups.iter().map(reach).fold(0.0, f64::max);
        let width =
            (left + group_width * self.groups.len() as f64 + 20.0).max(left + self.legend_width()).max(520.0);
        let height = TOP + HEIGHT + (30.0 + longest * lean.sin()).max(70.0);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{left:.0}\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{}</text>\n",
            escaped(&self.title)
        );
        self.write_legend(&mut text, left);
        for per_cent in (0..=100).step_by(25) {
            let y = level(f64::from(per_cent));
            let stroke = if per_cent == 50 { "#6b7280" } else { "#e5e7eb" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<line x1=\"{left:.0}\" y1=\"{y:.1}\" x2=\"{width:.0}\" y2=\"{y:.1}\" stroke=\"{stroke}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{per_cent}</text>",
                left - 6.0,
                y + 4.0
            );
        }
        for (place, group) in self.groups.iter().enumerate() {
            let x = left + GAP / 2.0 + group_width * place as f64;
            group.write(&mut text, x);
        }
        text.push_str("</svg>\n");
        text
    }

    fn legend_width(&self) -> f64 {
        self.series.iter().map(|series| 34.0 + 7.0 * series.chars().count() as f64).sum()
    }

    fn write_legend(&self, text: &mut String, left: f64) {
        let mut x = left;
        for (series, colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            let _ = writeln!(
                text,
                "<rect x=\"{x:.0}\" y=\"30\" width=\"11\" height=\"11\" fill=\"{colour}\"/>\
                 <text x=\"{:.0}\" y=\"40\">{}</text>",
                x + 15.0,
                escaped(series)
            );
            x += 34.0 + 7.0 * series.chars().count() as f64;
        }
    }
}

impl Group {
    fn write(&self, text: &mut String, left: f64) {
        for (place, (bar, colour)) in self.bars.iter().zip(COLOURS.iter().cycle()).enumerate() {
            let &Some((value, interval)) = bar else { continue };
            let x = left + BAR * place as f64;
            let (y, middle) = (level(value), x + (BAR - 3.0) / 2.0);
            let (low, high) = (level(value - interval), level(value + interval));
            let _ = writeln!(
                text,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"><title>{value:.1} ± \
                 {interval:.1}</title></rect><line x1=\"{middle:.1}\" y1=\"{low:.1}\" x2=\"{middle:.1}\" y2=\"{high:.1}\" \
                 stroke=\"black\"/>",
                BAR - 3.0,
                level(0.0) - y
            );
        }
        let middle = left + BAR * self.bars.len() as f64 / 2.0;
        // Long labels lean so that neighbours do not meet.
        let y = level(0.0) + 14.0;
        let _ = writeln!(
            text,
            "<text x=\"{middle:.1}\" y=\"{y:.1}\" text-anchor=\"end\" transform=\"rotate(-{LEAN} {middle:.1} {y:.1})\">{}</text>",
            escaped(&self.label)
        );
    }
}

/// How far down a share lies.
fn level(per_cent: f64) -> f64 {
    TOP + HEIGHT * (1.0 - per_cent.clamp(0.0, 100.0) / 100.0)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_they_should_be() {
        let bars = vec![Some((75.0, 5.0)), None, Some((0.0, 2.0))];
        let chart = Chart {
            title: "a < b".to_owned(),
            series: ["x", "y", "z"].map(str::to_owned).to_vec(),
            groups: vec![Group { label: "first".to_owned(), bars }],
        };
        let svg = chart.svg();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("a &lt; b"));
        assert!(svg.contains("height=\"180.0\"") && svg.contains("75.0 ± 5.0"), "{svg}");
        // A background, three squares of the legend, two bars.
        assert_eq!(svg.matches("<rect").count(), 6);
    }

    #[test]
    fn long_labels_stay_within_the_edges() {
        let group = |label: &str| Group { label: label.to_owned(), bars: vec![Some((50.0, 1.0))] };
        let label = "a name of sixty letters and more, as papers like to have them";
        let chart = Chart {
            title: String::new(),
            series: vec!["x".to_owned()],
            groups: vec![group(label), group("b")],
        };
        let svg = chart.svg();
        let number = |before: &str| -> f64 {
            let rest = &svg[svg.find(before).expect("there") + before.len()..];
            rest[..rest.find('"').expect("its end")].parse().expect("a number")
        };
        let (height, reach) = (number("height=\""), LETTER * label.len() as f64);
        let end = &svg[..svg.find("text-anchor=\"end\" transform").expect("a label")];
        let middle: f64 = end
            .rsplit("x=\"")
            .next()
            .and_then(|rest| rest.split('"').next())
            .and_then(|x| x.parse().ok())
            .expect("x");
        assert!(middle >= reach * LEAN.to_radians().cos(), "{svg}");
        assert!(height >= level(0.0) + 14.0 + reach * LEAN.to_radians().sin(), "{svg}");
    }
}
