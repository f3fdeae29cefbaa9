//! Games of two seats by a policy in Rust, which builds cities and settlements where it can:
//!
//!     make native
//!     rustc --edition 2021 -O -L build/native/library -l static=catan -l m -o play examples/engine/play.rs
//!     ./play 7

use std::{ops::Range, ptr::null_mut};

const ACTIONS: usize = 848;
const BUILDINGS: Range<usize> = 52..160;
const FIRST_OFFER: usize = 308;

/// `catan_game`; catan.h lists its fields.
#[repr(C, align(8))]
struct Game([u8; 768]);

/// `catan_result`.
#[repr(C)]
#[derive(Default)]
struct Outcome {
    rewards: [f32; 4],
    turns: i32,
    winner: i8,
    fresh: i8,
    spare: [i8; 2],
}

extern "C" {
    fn catan_fill_box(game: *mut Game, seats: i64, seed: u64);
    fn catan_core_batch_reset_games(
        games: *mut Game, n: i64, box_: *mut Game, boxes: i64, seeds: *const u64, seeds_0: i64, done: *mut i8,
        done_0: i64, results: *mut Outcome, results_0: i64, start: i64, stop: i64);
    fn catan_core_batch_step_games(
        games: *mut Game, n: i64, box_: *mut Game, boxes: i64, actions: *const i64, actions_0: i64, max_turns: i64,
        autoreset: u8, done: *mut i8, done_0: i64, results: *mut Outcome, results_0: i64, observations: *mut i8,
        observations_0: i64, observations_1: i64, masks: *mut i8, masks_0: i64, masks_1: i64, start: i64, stop: i64);
    fn catan_core_batch_expand_masks(
        games: *const Game, n: i64, masks: *mut i8, masks_0: i64, masks_1: i64, start: i64, stop: i64);
}

/// A legal settlement or city if there is one, otherwise any legal action but an offer.
fn choose(mask: &[i8; ACTIONS], random: &mut u64) -> i64 {
    let legal = |&action: &usize| mask[action] == 1;
    let all: Vec<usize> = (0..FIRST_OFFER).filter(legal).collect();
    *random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let any = all[(*random >> 33) as usize % all.len()];
    BUILDINGS.rev().find(legal).unwrap_or(any) as i64
}

fn play(seed: u64) -> Outcome {
    let (mut game, mut filled) = (Game([0; 768]), Game([0; 768]));
    let (mut done, mut result, mut mask) = (0i8, Outcome::default(), [0i8; ACTIONS]);
    let mut random = seed;
    unsafe {
        catan_fill_box(&mut filled, 2, seed);
        catan_core_batch_reset_games(
            &mut game, 1, &mut filled, 1, &seed, 1, &mut done, 1, &mut result, 1, 0, 1);
        catan_core_batch_expand_masks(&game, 1, mask.as_mut_ptr(), 1, ACTIONS as i64, 0, 1);
        while done == 0 {
            catan_core_batch_step_games(
                &mut game, 1, &mut filled, 1, &choose(&mask, &mut random), 1, 10_000, 0, &mut done, 1, &mut result, 1,
                null_mut(), 0, 913, mask.as_mut_ptr(), 1, ACTIONS as i64, 0, 1);
        }
    }
    result
}

fn main() {
    let first = std::env::args().nth(1).map_or(1, |word| word.parse().expect("a seed"));
    for seed in first..first + 5 {
        let result = play(seed);
        println!("seed {seed}: seat {} wins in turn {}", result.winner, result.turns);
    }
}
