/* Whole games of three random players in two threads, each with its own memory for a game:
 *
 *     make native
 *     c++ -O2 -pthread -I build/native/library -o play examples/engine/play.cpp build/native/library/libcatan.a
 *     ./play 7
 */
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <thread>
#include <vector>
#include "catan.h"

struct Results {
    std::vector<int8_t> winners;
    std::vector<int32_t> turns, decisions;
    explicit Results(int64_t games) : winners(games), turns(games), decisions(games) {}

    int64_t size() const { return static_cast<int64_t>(winners.size()); }

    // Play the games start <= k < stop; game k depends on the seed of the box and on k alone.
    void play(catan_game box, int64_t start, int64_t stop) {
        catan_game game;
        catan_core_batch_play_out(&game, 1, &box, 1, 10'000, winners.data(), size(), turns.data(), size(),
                                  decisions.data(), size(), start, stop);
    }
};

int main(int count, char **words) {
    constexpr int64_t games = 1000;
    constexpr int seats = 3;
    catan_game box;
    catan_fill_box(&box, seats, count > 1 ? std::strtoull(words[1], nullptr, 10) : 1);
    Results results(games);
    std::thread half([&] { results.play(box, 0, games / 2); });
    results.play(box, games / 2, games);
    half.join();

    const auto sum = [](const std::vector<int32_t> &all) { return std::accumulate(all.begin(), all.end(), 0L); };
    std::cout << games << " games, " << sum(results.decisions) << " decisions, " << sum(results.turns) << " turns\n";
    for (int seat = 0; seat < seats; seat++)
        std::cout << "seat " << seat << " won "
                  << std::count(results.winners.begin(), results.winners.end(), seat) << "\n";
}
