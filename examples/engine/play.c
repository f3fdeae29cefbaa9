/* A thousand games of four random players in lockstep, until all are over:
 *
 *     make native
 *     cc -O2 -I build/native/library -o play examples/engine/play.c build/native/library/libcatan.a -lm
 *     ./play 7
 */
#include <stdio.h>
#include <stdlib.h>
#include "catan.h"

enum { GAMES = 1000, SEATS = 4, MAX_TURNS = 10000 };

static catan_game games[GAMES];
static catan_result results[GAMES];
static uint64_t seeds[GAMES];
static int64_t actions[GAMES];
static int8_t done[GAMES];

int main(int count, char **words) {
    uint64_t seed = count > 1 ? strtoull(words[1], NULL, 10) : 1;
    catan_game box;
    catan_fill_box(&box, SEATS, seed);
    for (int i = 0; i < GAMES; i++) seeds[i] = seed + i;
    catan_core_batch_reset_games(games, GAMES, &box, 1, seeds, GAMES, done, GAMES, results, GAMES, 0, GAMES);

    long left = GAMES, decisions = 0, turns = 0, wins[SEATS] = {0};
    for (int64_t step = 0; left; step++) {
        catan_core_batch_sample_legal(games, GAMES, (int64_t)seed, step, actions, GAMES, 0, GAMES);
        for (int i = 0; i < GAMES; i++) decisions += actions[i] != CATAN_STAY;
        catan_core_batch_step_games(games, GAMES, &box, 1, actions, GAMES, MAX_TURNS, 0, done, GAMES, results,
                                    GAMES, NULL, 0, CATAN_OBSERVATION_SIZE, NULL, 0, CATAN_NUM_ACTIONS, 0, GAMES);
        for (int i = 0; i < GAMES; i++) {
            if (done[i] == CATAN_GOES_ON) continue;
            left--, turns += results[i].turns;
            if (done[i] == CATAN_WON) wins[results[i].winner]++;
        }
    }
    printf("%d games, %ld decisions, %ld turns\n", GAMES, decisions, turns);
    for (int seat = 0; seat < SEATS; seat++) printf("seat %d won %ld\n", seat, wins[seat]);
}
