//! A law for each pair of materials, and one for all other pairs.

use serde::{Deserialize, Serialize};

use super::{Anisotropic, Axes, Coefficient, Combine, Coulomb, Depends, FrictionModel, Matchstick, Model, PatchWindow};
use crate::error::FrictionError;
use crate::law::ContactLaw;
use crate::set::Catalogued;
use crate::state::ContactState;

/// The law between two materials; the first is A, where the law names a side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The two materials.
    pub materials: [u32; 2],
    /// Their law.
    pub law: FrictionModel,
}

/// First the table, then the rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "PairTableData", into = "PairTableData")]
pub struct PairTable {
    /// Both orders of each pair, sorted by material.
    entries: Vec<Pair>,
    /// As given.
    pairs: Vec<Pair>,
    otherwise: Option<Box<FrictionModel>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairTableData {
    pairs: Vec<Pair>,
    otherwise: Option<Box<FrictionModel>>,
}

impl From<PairTableData> for PairTable {
    fn from(data: PairTableData) -> Self {
        Self::new(data.pairs, data.otherwise.map(|m| *m))
    }
}

impl From<PairTable> for PairTableData {
    fn from(table: PairTable) -> Self {
        Self { pairs: table.pairs, otherwise: table.otherwise }
    }
}

impl PairTable {
    /// Every law that it can answer with.
    pub fn laws(&self) -> impl Iterator<Item = &FrictionModel> {
        self.pairs.iter().map(|pair| &pair.law).chain(self.otherwise.as_deref())
    }

    /// A law for each pair; `otherwise` for the pairs that are not in the table.
    pub fn new(pairs: Vec<Pair>, otherwise: Option<FrictionModel>) -> Self {
        let mut entries = Vec::with_capacity(2 * pairs.len());
        for pair in &pairs {
            let [a, b] = pair.materials;
            entries.push(pair.clone());
            if a != b {
                entries.push(Pair { materials: [b, a], law: pair.law.swapped() });
            }
        }
        entries.sort_by_key(|p| p.materials);
        Self { entries, pairs, otherwise: otherwise.map(Box::new) }
    }
}

impl Model for PairTable {
    fn validate(&self) -> Result<(), FrictionError> {
        for two in self.entries.windows(2) {
            if two[0].materials == two[1].materials {
                return Err(FrictionError::Range {
                    name: "pair of materials (first one)",
                    value: f64::from(two[0].materials[0]),
                    expected: "in the table once: one of its pairs is there twice",
                });
            }
        }
        self.entries.iter().try_for_each(|p| p.law.validate())?;
        // Which body is A is up to the engine: a law may name a side only where the materials tell the sides apart.
        let alike = self.pairs.iter().filter(|p| p.materials[0] == p.materials[1]).map(|p| &p.law);
        for law in alike.chain(self.otherwise.as_deref()) {
            law.validate()?;
            if law.swapped() != *law {
                return Err(FrictionError::Unsupported {
                    name: "pair_table",
                    reason: "a law that names a side (on_a, on_b) needs a pair of two different materials",
                });
            }
        }
        Ok(())
    }

    fn evaluate(&self, state: &ContactState, law: &mut ContactLaw) -> Result<(), FrictionError> {
        let key = [state.a.material, state.b.material];
        match self.entries.binary_search_by_key(&key, |p| p.materials) {
            Ok(i) => self.entries[i].law.evaluate(state, law),
            Err(_) => match &self.otherwise {
                Some(model) => model.evaluate(state, law),
                None => Err(FrictionError::Pair { a: key[0], b: key[1] }),
            },
        }
    }

    fn depends(&self) -> Depends {
        let laws = self.pairs.iter().map(|p| &p.law).chain(self.otherwise.as_deref());
        laws.fold(Depends::default(), |d, law| d.and(law.depends()))
    }

    /// That of the first law that has one: a table is made for surfaces that are sampled once.
    fn patch(&self) -> Option<PatchWindow> {
        self.pairs.iter().map(|p| &p.law).chain(self.otherwise.as_deref()).find_map(Model::patch)
    }

    // A table does not name sides: it looks materials up in both orders.
}

impl Catalogued for PairTable {
    const NAME: &'static str = "pair_table";
    const SUMMARY: &'static str = "a law for each pair of materials, and a rule for all other pairs";

    fn examples() -> Vec<Self> {
        let matchstick = Matchstick::examples().swap_remove(0);
        let along = Anisotropic { mu: [0.1, 0.6].map(Coefficient::Fixed), axes: Axes::OnA };
        let rule = Coulomb { mu: None, combine: Combine::GeometricMean };
        vec![Self::new(
            vec![Pair { materials: [0, 1], law: matchstick.into() }, Pair { materials: [1, 2], law: along.into() }],
            Some(rule.into()),
        )]
    }
}
