//! The few functions of real numbers that the bots need, from additions, multiplications and divisions alone: these give
//! the same bits on every machine, and so the same move.

/// A chance, 0 to 1, that grows with `x`; a half at 0.
pub(super) fn chance(x: f32) -> f32 {
    0.5 + 0.5 * x / (1.0 + x.abs())
}

/// e to the power of `x`, with an error below one part in a thousand.
pub(super) fn exp(x: f32) -> f32 {
    let halvings = 8;
    let x = x.clamp(-40.0, 40.0) / 256.0;
    let mut power = 1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0)));
    for _ in 0..halvings {
        power *= power;
    }
    power
}

/// Weights that are higher the higher the values are, together 1.
pub(super) fn softmax(values: &mut [f32], temperature: f32) {
    let highest = values.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = exp((*value - highest) / temperature);
        sum += *value;
    }
    values.iter_mut().for_each(|value| *value /= sum);
}
