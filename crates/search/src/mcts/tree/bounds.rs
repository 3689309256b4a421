//! What is proven of a goal: it lies between two values.

/// A role gets at least `lower` and at most `upper` with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub lower: u8,
    /// At most this.
    pub upper: u8,
}

impl Bounds {
    /// Nothing is proven.
    pub const UNKNOWN: Bounds = Bounds { lower: 0, upper: 100 };

    /// The value is known.
    pub fn exact(value: u8) -> Self {
        let value = value.min(100);
        Self { lower: value, upper: value }
    }

    /// Whether the value is known.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Both proofs together. Proofs that contradict each other (a fault of the rules: goals that
    /// are not unique) leave what was proven first.
    pub(crate) fn intersect(self, other: Bounds) -> Self {
        let both = Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        if both.lower <= both.upper { both } else { self }
    }

    /// The least bounds that contain both.
    pub(crate) fn hull(self, other: Bounds) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// Zero stands for [`Bounds::UNKNOWN`], so that fresh memory is right.
    #[inline]
    pub(crate) fn pack(self) -> u16 {
        u16::from(self.lower) | u16::from(100 - self.upper) << 8
    }

    #[inline]
    pub(crate) fn unpack(bits: u16) -> Self {
        Self { lower: bits as u8, upper: 100 - (bits >> 8) as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_memory_proves_nothing() {
        assert_eq!(Bounds::unpack(0), Bounds::UNKNOWN);
        for (lower, upper) in [(0, 100), (0, 0), (100, 100), (30, 70)] {
            let bounds = Bounds { lower, upper };
            assert_eq!(Bounds::unpack(bounds.pack()), bounds);
        }
    }

    #[test]
    fn contradictions_change_nothing() {
        assert_eq!(Bounds::exact(20).intersect(Bounds::exact(60)), Bounds::exact(20));
        let known = Bounds { lower: 20, upper: 80 };
        assert_eq!(known.intersect(Bounds { lower: 50, upper: 100 }), Bounds { lower: 50, upper: 80 });
    }
}
