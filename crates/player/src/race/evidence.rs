//! How sure one can be that one setting is better than another.

/// Numbers of which the mean is wanted: what one setting had more than another, again and again.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Evidence {
    numbers: Vec<f64>,
}

impl Evidence {
    pub(crate) fn add(&mut self, number: f64) {
        self.numbers.push(number);
    }

    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn mean(&self) -> f64 {
        self.numbers.iter().sum::<f64>() / self.numbers.len().max(1) as f64
    }

    /// The standard error of the mean; infinite before there are two numbers.
    pub(crate) fn error(&self) -> f64 {
        let count = self.numbers.len() as f64;
        if count < 2.0 {
            return f64::INFINITY;
        }
        let mean = self.mean();
        let squares: f64 = self.numbers.iter().map(|number| (number - mean).powi(2)).sum();
        (squares / (count - 1.0) / count).sqrt()
    }

    /// The mean in standard errors. Where nothing varies one number stands for many that could have come
    /// otherwise, so the error is never taken to be less than `least`.
    pub(crate) fn sureness(&self, least: f64) -> f64 {
        self.mean() / self.error().max(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_in_standard_errors() {
        let mut evidence = Evidence::default();
        assert_eq!((evidence.mean(), evidence.error()), (0.0, f64::INFINITY));
        [1.0, 3.0, 5.0, 3.0].into_iter().for_each(|number| evidence.add(number));
        // Deviations -2, 0, 2, 0: the variance is 8/3, the error sqrt(8/3/4).
        assert_eq!((evidence.count(), evidence.mean()), (4, 3.0));
        assert!((evidence.error() - (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((evidence.sureness(0.1) - 3.0 / (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
        let mut same = Evidence::default();
        [2.0, 2.0].into_iter().for_each(|number| same.add(number));
        assert_eq!(same.sureness(0.5), 4.0);
    }
}
