//! An image that shows texture coordinates: red grows with u, green with v.

use asperity::record::Image;

/// Pixels along a side.
const SIDE: u32 = 640;
/// Squares along a side.
const SQUARES: u32 = 10;

/// Ten by ten squares; thick lines at u = 0 (red) and v = 0 (green).
pub(super) fn image() -> Image {
    let mut image = Image::filled(SIDE, SIDE, [255; 4]);
    let cell = SIDE / SQUARES;
    for (i, pixel) in image.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (i as u32 % SIDE, SIDE - 1 - i as u32 / SIDE);
        let line = |p: u32| p % cell < 2 || p % cell >= cell - 2;
        let shade = |p: u32| 60 + (190 * p / SIDE) as u8;
        *pixel = match () {
            () if x < 14 => [200, 20, 20, 255],
            () if y < 14 => [20, 150, 20, 255],
            () if line(x) || line(y) => [255, 255, 255, 255],
            () => [shade(x), shade(y), 90, 255],
        };
    }
    image
}
