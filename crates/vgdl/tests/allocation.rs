//! A tick takes no memory: once a model has played a game it plays it again, and is copied, without asking for any.
#![allow(unsafe_code)] // To stand between the program and its allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use vgdl::{Action, Game, JavaRandom, Level, Model, SourceFile};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // At the end of a thread there is nothing to count with.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is handed on as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the promises that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Random games from the first state of a level, until a number of ticks is played.
fn rollouts(root: &Model, model: &mut Model, ticks: usize) {
    let players = root.level().rules.players;
    let mut random = JavaRandom::new(3);
    let mut played = 0;
    while played < ticks {
        model.clone_from(root);
        model.reseed(i64::from(random.next_int(1 << 30)));
        for _ in 0..300 {
            let actions = [(); 2].map(|()| Action::ALL[random.next_int(6) as usize]);
            model.advance(&actions[..players]);
            played += 1;
            if model.state().is_over() {
                break;
            }
        }
    }
}

#[test]
fn no_tick_takes_memory() {
    let mut faults = Vec::new();
    let mut games = 0;
    for game in bundled::video::all() {
        let rules = vgdl::compile(&vgdl::parse(&SourceFile::new("rules", game.rules)).description).rules;
        let level = Level::load(Arc::new(rules), &SourceFile::new("level", game.levels[0])).level;
        let root = Game::new(Arc::new(level), 1).model(1);
        let mut model = root.clone();
        rollouts(&root, &mut model, 3000);
        let before = COUNT.get();
        rollouts(&root, &mut model, 3000);
        let taken = COUNT.get() - before;
        if taken > 0 {
            faults.push(format!("{}: {taken} allocations in 3000 ticks", game.name));
        }
        games += 1;
    }
    assert!(games >= 10, "{games}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let before = COUNT.get();
    drop(std::hint::black_box(Box::new(1)));
    assert!(COUNT.get() > before, "what is taken is counted");
}
