//! Lets sequences of actions evolve: for each first action a small population, of which two meet at a
//! time and the worse one becomes more like the better one (microbial tournaments).

use engine::Typed;

use super::*;

const SOURCE: &str = "sample of the GVG-AI framework; Harvey, The Microbial Genetic Algorithm, 2009";

const POPULATION: Typed<u32> =
    Typed::<u32>::whole("population", 5, 2, 1000, SOURCE, "sequences for each first action");
const LENGTH: Typed<u32> =
    Typed::<u32>::whole("length", 7, 1, 1000, SOURCE, "actions of a sequence after the first");
const RECOMBINATION: Typed<f64> = Typed::<f64>::real(
    "recombination",
    0.1,
    0.0,
    1.0,
    SOURCE,
    "how likely the worse sequence takes over an action of the better one",
);
const MUTATION: Typed<f64> = Typed::<f64>::real(
    "mutation",
    1.0 / 7.0,
    0.0,
    1.0,
    SOURCE,
    "how likely an action of the worse sequence becomes any other",
);
const DISCOUNT: Typed<f64> =
    Typed::<f64>::real("discount", 0.9, 0.0, 1.0, SOURCE, "what gains are worth a tick later");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "ga",
    help: "lets sequences of actions evolve within a rolling horizon and begins the best of them",
    source: SOURCE,
    parameters: || vec![POPULATION.row(), LENGTH.row(), RECOMBINATION.row(), MUTATION.row(), DISCOUNT.row()],
    make: |settings, seed| {
        Box::new(Genetic {
            population: settings.of(&POPULATION) as usize,
            length: settings.of(&LENGTH) as usize,
            recombination: settings.of(&RECOMBINATION),
            mutation: settings.of(&MUTATION),
            discount: settings.of(&DISCOUNT),
            dice: Dice::new(seed),
        })
    },
};

struct Genetic {
    population: usize,
    length: usize,
    recombination: f64,
    mutation: f64,
    discount: f64,
    dice: Dice,
}

impl Genetic {
    fn sequence(&mut self, world: &World) -> Vec<Action> {
        (0..self.length).map(|_| any_action(world, &mut self.dice)).collect()
    }

    /// The gains of a sequence: each is worth less the later it comes.
    fn fitness(
        &mut self,
        world: &World,
        tried: &mut World,
        first: Action,
        rest: &[Action],
        timer: &mut Timer<'_>,
    ) -> f64 {
        tried.restart(world, &mut self.dice);
        let mut before = win_and_score(world);
        let (mut value, mut weight) = (0.0, 1.0);
        for &action in [first].iter().chain(rest) {
            tried.advance(action);
            timer.spend(1);
            let now = win_and_score(tried);
            value += weight * (now - before);
            before = now;
            weight *= self.discount;
            if tried.is_over() {
                break;
            }
        }
        value
    }

    /// Makes the worse sequence more like the better one, and changes some of its actions.
    fn breed(&mut self, world: &World, better: &[Action], worse: &mut [Action]) {
        for (mine, theirs) in worse.iter_mut().zip(better) {
            if self.dice.unit() < self.recombination {
                *mine = *theirs;
            }
            if self.dice.unit() < self.mutation {
                *mine = any_action(world, &mut self.dice);
            }
        }
    }
}

impl Player for Genetic {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut timer = Timer::new(budget);
        let mut tried = world.clone();
        let firsts = world.actions();
        let mut populations: Vec<Vec<Vec<Action>>> = Vec::new();
        for _ in firsts {
            let population = (0..self.population).map(|_| self.sequence(world)).collect();
            populations.push(population);
        }
        let mut found = vec![f64::NEG_INFINITY; firsts.len()];
        while !timer.is_over() {
            let which = self.dice.below(firsts.len());
            let one = self.dice.below(self.population);
            let other = (one + 1 + self.dice.below(self.population - 1)) % self.population;
            let [one_value, other_value] = [one, other].map(|place| {
                let sequence = std::mem::take(&mut populations[which][place]);
                let value = self.fitness(world, &mut tried, firsts[which], &sequence, &mut timer);
                populations[which][place] = sequence;
                value
            });
            let (better, worse) = if one_value >= other_value { (one, other) } else { (other, one) };
            found[which] = found[which].max(one_value).max(other_value);
            let mut child = std::mem::take(&mut populations[which][worse]);
            self.breed(world, &populations[which][better], &mut child);
            populations[which][worse] = child;
        }
        best(firsts.iter().copied().zip(found), &mut self.dice)
    }
}
