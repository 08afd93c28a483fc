//! Energies of solids, one file each. All of them agree for small strains; what they do beyond is in their summaries.
//!
//! A new one is a file with a type that has [`SolidDensity`], and two lines here: `mod`, and its name in
//! `solid_energies!`.

mod corotated;
mod invariants;
mod linear;
mod neo_hookean;
mod st_venant_kirchhoff;
mod stable_neo_hookean;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::continuum::{Continuum, Density, Point};
use super::elements::Elements;
use super::lame::Lame;
use corotated::Corotated;
use linear::Linear;
use neo_hookean::NeoHookean;
use st_venant_kirchhoff::StVenantKirchhoff;
use stable_neo_hookean::StableNeoHookean;

/// Energy density of an isotropic solid, with its line in the catalogue.
trait SolidDensity: Density<3> + Sized + 'static {
    /// Name in scenes.
    const NAME: &'static str;
    /// One line that says what it is.
    const SUMMARY: &'static str;

    /// With these constants for small strains.
    fn new(lame: Lame) -> Self;
}

/// One line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct SolidEnergyEntry {
    /// Name in scenes.
    pub name: &'static str,
    /// One line that says what it is.
    pub summary: &'static str,
    /// The energy.
    pub energy: SolidEnergy,
}

macro_rules! solid_energies {
    ($($energy:ident),* $(,)?) => {
        /// Which energy a solid has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum SolidEnergy {
            $(#[doc = "See the file of the same name."] $energy,)*
        }

        /// Every energy of solids; the first is the default of scenes.
        pub const SOLID_ENERGIES: &[SolidEnergyEntry] = &[
            $(SolidEnergyEntry { name: $energy::NAME, summary: $energy::SUMMARY, energy: SolidEnergy::$energy },)*
        ];

        impl SolidEnergy {
            /// Name in scenes.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$energy => $energy::NAME,)* }
            }

            /// Elements with this energy.
            pub(super) fn elements<const K: usize, const Q: usize>(
                self,
                tets: &[[u32; K]],
                points: Vec<[Point<K, 3>; Q]>,
                lame: Lame,
            ) -> Arc<dyn Elements> {
                match self { $(Self::$energy => Arc::new(Continuum::new(tets, points, $energy::new(lame))),)* }
            }

            /// The density alone.
            #[cfg(test)]
            fn density(self, lame: Lame) -> Box<dyn Density<3>> {
                match self { $(Self::$energy => Box::new($energy::new(lame)),)* }
            }
        }
    };
}

solid_energies!(StableNeoHookean, NeoHookean, StVenantKirchhoff, Corotated, Linear);

impl SolidEnergy {
    /// The energy of this name.
    pub fn named(name: &str) -> Option<Self> {
        SOLID_ENERGIES.iter().find(|entry| entry.name == name).map(|entry| entry.energy)
    }
}
