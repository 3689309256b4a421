//! Rectangles of pixels and directions.

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// The same rectangle somewhere else.
    #[must_use]
    pub fn moved(self, dx: i32, dy: i32) -> Self {
        Self { x: self.x.wrapping_add(dx), y: self.y.wrapping_add(dy), ..self }
    }

    /// Whether they share a pixel.
    #[inline]
    pub fn intersects(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
            && self.w > 0
            && self.h > 0
            && other.w > 0
            && other.h > 0
    }

    /// Whether the other one lies within.
    #[inline]
    pub fn contains(&self, other: &Rect) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
            && other.w > 0
            && other.h > 0
    }

    /// What they share; width or height is negative if they share nothing.
    pub fn intersection(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        Rect {
            x,
            y,
            w: self.right().min(other.right()).wrapping_sub(x),
            h: self.bottom().min(other.bottom()).wrapping_sub(y),
        }
    }

    #[inline]
    pub(crate) fn right(&self) -> i32 {
        self.x.wrapping_add(self.w)
    }

    #[inline]
    pub(crate) fn bottom(&self) -> i32 {
        self.y.wrapping_add(self.h)
    }

    pub(crate) fn center_x(&self) -> f64 {
        f64::from(self.x) + f64::from(self.w) / 2.0
    }

    pub(crate) fn center_y(&self) -> f64 {
        f64::from(self.y) + f64::from(self.h) / 2.0
    }
}

/// A direction, or a velocity without its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Direction {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Direction {
    /// No direction.
    pub const NONE: Self = Self { x: 0.0, y: 0.0 };
    /// A direction that is still to be chosen.
    pub const NIL: Self = Self { x: -1.0, y: -1.0 };
    /// Up.
    pub const UP: Self = Self { x: 0.0, y: -1.0 };
    /// Left.
    pub const LEFT: Self = Self { x: -1.0, y: 0.0 };
    /// Down.
    pub const DOWN: Self = Self { x: 0.0, y: 1.0 };
    /// Right.
    pub const RIGHT: Self = Self { x: 1.0, y: 0.0 };
    /// The four directions, in the order in which they are drawn from.
    pub const BASE: [Self; 4] = [Self::UP, Self::LEFT, Self::DOWN, Self::RIGHT];

    pub(crate) fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    pub(crate) fn normalised(self) -> Self {
        let length = self.length();
        if length == 0.0 { Self::NONE } else { Self { x: self.x / length, y: self.y / length } }
    }

    pub(crate) fn reversed(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_is_not_meeting_and_empty_meets_nothing() {
        let cell = Rect { x: 10, y: 10, w: 10, h: 10 };
        assert!(!cell.intersects(&cell.moved(10, 0)));
        assert!(cell.intersects(&cell.moved(9, -9)));
        assert!(!cell.intersects(&Rect { w: 0, ..cell }));
        assert!(cell.contains(&cell));
        assert!(!cell.contains(&cell.moved(1, 0)));
        assert_eq!(cell.intersection(&cell.moved(4, 6)), Rect { x: 14, y: 16, w: 6, h: 4 });
    }
}
