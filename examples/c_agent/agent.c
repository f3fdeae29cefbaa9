/* A complete agent for the binary protocol of docs/protocol.md, from that page alone:
 *
 *     cc -O2 -o agent agent.c && catan-env serve --agent ./agent --agent ./agent
 *
 * It builds what it can pay for, trades four cards for one with the bank, robs whoever it can,
 * buys no development cards and rejects every offer. It follows all hands that it has to know:
 * its own and the bank's. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BEGIN, SETUP, KICK, END, TURN = 10, ROLL, ROLL_RESULT, PLAY, BUILD, BUILD_RESULT, TRADE,
       ACCEPT, REJECT, PASS, ROB, ROB_RESULT };
enum { ANY, BRICK, GRAIN, LUMBER, ORE, WOOL, DESERT };
enum { ROAD, SETTLEMENT, CITY, CARD };
enum { W, NW, NE };
enum { N, S };
enum { NOBODY = -1, MOST = 64 };

typedef struct { int q, r; } Hex;
typedef struct { int q, r, k; } Place; /* k: an edge's W, NW, NE or a vertex's N, S */

static struct { Hex at; int type, counter; } tiles[MOST];
static struct { Place at; int owner, level; } houses[MOST];
static struct { Place at; int owner; } roads[2 * MOST];
static int tile_count, house_count, road_count;
static const int COST[4][6] = {
    {0, 1, 0, 1, 0, 0}, {0, 1, 1, 1, 0, 1}, {0, 0, 2, 0, 3, 0}, {0, 0, 1, 0, 1, 1}};
static int bank[6], hand[6], left[3] = {13, 3, 4}; /* roads, settlements, cities in stock */
static int me, on_turn, free_roads, wire, little;
static Hex robber;
static uint8_t asked[7]; /* the build or trade that waits for its answer */

static void fail(const char *why) { fprintf(stderr, "agent: %s\n", why); exit(2); }

static void hear(void *data, size_t size) {
    for (uint8_t *to = data; size > 0;) {
        ssize_t got = read(wire, to, size);
        if (got <= 0) fail("the server closed the connection");
        to += got, size -= got;
    }
}
static int byte(void) { uint8_t b; hear(&b, 1); return b; }
static int place(void) { int8_t b; hear(&b, 1); return b; }
static Place spot(void) { Place p; p.q = place(), p.r = place(), p.k = byte(); return p; }
static void say(const void *data, size_t size) {
    if (write(wire, data, size) != (ssize_t)size) fail("the server does not listen");
}
static uint32_t number(const uint8_t *b) {
    return little ? b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24
                  : b[3] | b[2] << 8 | b[1] << 16 | (uint32_t)b[0] << 24;
}

/* The hexagons: who touches whom. */
static int same(Place a, Place b) { return a.q == b.q && a.r == b.r && a.k == b.k; }
static Place at(int q, int r, int k) { Place p = {q, r, k}; return p; }
static void hexes_of_vertex(Place v, Hex out[3]) {
    int s = v.k == S ? 1 : -1;
    out[0] = (Hex){v.q, v.r}, out[1] = (Hex){v.q, v.r + s}, out[2] = (Hex){v.q - s, v.r + s};
}
static void neighbours_of_vertex(Place v, Place out[3]) {
    int s = v.k == S ? 1 : -1, other = v.k == S ? N : S;
    out[0] = at(v.q, v.r + s, other), out[1] = at(v.q - s, v.r + s, other);
    out[2] = at(v.q - s, v.r + 2 * s, other);
}
static void ends_of_edge(Place e, Place out[2]) {
    out[0] = e.k == NE ? at(e.q, e.r, N) : at(e.q, e.r - 1, S);
    out[1] = e.k == W ? at(e.q - 1, e.r + 1, N) : e.k == NW ? at(e.q, e.r, N)
                                                            : at(e.q + 1, e.r - 1, S);
}
static int tile_at(Hex h) {
    for (int t = 0; t < tile_count; t++)
        if (tiles[t].at.q == h.q && tiles[t].at.r == h.r) return t;
    return -1;
}
static int touches(Place v, int t) {
    Hex h[3];
    hexes_of_vertex(v, h);
    return tile_at(h[0]) == t || tile_at(h[1]) == t || tile_at(h[2]) == t;
}
static int is_land(Place p, int what) { /* an edge: its hex or the one beyond; a vertex: any of 3 */
    Hex h[3] = {{p.q, p.r}, {p.q + (p.k == W ? -1 : p.k == NE), p.r - (p.k != W)}, {p.q, p.r}};
    if (what != ROAD) hexes_of_vertex(p, h);
    return tile_at(h[0]) >= 0 || tile_at(h[1]) >= 0 || tile_at(h[2]) >= 0;
}
static int house_at(Place v) {
    for (int h = 0; h < house_count; h++)
        if (same(houses[h].at, v)) return h;
    return -1;
}
static int road_owner(Place e) {
    for (int k = 0; k < road_count; k++)
        if (same(roads[k].at, e)) return roads[k].owner;
    return NOBODY;
}
static int my_road_at(Place v) {
    Place ends[2];
    for (int k = 0; k < road_count; k++) {
        ends_of_edge(roads[k].at, ends);
        if (roads[k].owner == me && (same(ends[0], v) || same(ends[1], v))) return 1;
    }
    return 0;
}

/* The rules. */
static void put(int what, Place p, int owner) {
    if (what == ROAD) roads[road_count].at = p, roads[road_count++].owner = owner;
    else if (what == CITY) houses[house_at(p)].level = 2;
    else houses[house_count].at = p, houses[house_count].owner = owner,
         houses[house_count++].level = 1;
}
static void pay(int owner, int what) {
    if (what == ROAD && free_roads > 0) { free_roads--; return; }
    for (int r = 1; r < 6; r++) {
        bank[r] += COST[what][r];
        if (owner == me) hand[r] -= COST[what][r];
    }
}
static void produce(int roll) {
    for (int r = 1; r < 6; r++) {
        int due[256] = {0}, wanted = 0, seats = 0;
        for (int h = 0; h < house_count; h++)
            for (int t = 0; t < tile_count; t++) {
                if (tiles[t].type != r || tiles[t].counter != roll) continue;
                if (t == tile_at(robber) || !touches(houses[h].at, t)) continue;
                seats += !due[houses[h].owner];
                due[houses[h].owner] += houses[h].level, wanted += houses[h].level;
            }
        if (wanted > bank[r] && seats > 1) continue;
        if (wanted > bank[r]) /* a single seat gets the rest */
            due[me] = due[me] ? bank[r] : 0, wanted = bank[r];
        bank[r] -= wanted, hand[r] += due[me];
    }
}
static int can_pay(int what) {
    for (int r = 1; r < 6; r++)
        if (hand[r] < COST[what][r]) return 0;
    return left[what] > 0;
}
static int may_settle(Place v) {
    Place near[3];
    neighbours_of_vertex(v, near);
    if (!is_land(v, SETTLEMENT) || house_at(v) >= 0 || !my_road_at(v)) return 0;
    return house_at(near[0]) < 0 && house_at(near[1]) < 0 && house_at(near[2]) < 0;
}
static int may_grow(Place v) {
    int h = house_at(v);
    return h >= 0 && houses[h].owner == me && houses[h].level == 1;
}
static int may_lay(Place e) {
    Place ends[2];
    if (!is_land(e, ROAD) || road_owner(e) != NOBODY) return 0;
    ends_of_edge(e, ends);
    for (int k = 0; k < 2; k++) {
        int h = house_at(ends[k]);
        if (h >= 0 ? houses[h].owner == me : my_road_at(ends[k])) return 1;
    }
    return 0;
}

/* What it does. */
static int ask(const uint8_t *message, size_t size) {
    memcpy(asked, message, size), say(message, size);
    return 1;
}
static int build(int what) {
    int names = what == ROAD ? 3 : 2; /* of each of the 7 x 7 hexes around the centre */
    for (int n = 0; can_pay(what) && n < 49 * names; n++) {
        Place p = at(n / names / 7 - 3, n / names % 7 - 3, n % names);
        if (what == ROAD ? may_lay(p) : what == SETTLEMENT ? may_settle(p) : may_grow(p))
            return ask((uint8_t[]){BUILD, me, what, p.q, p.r, p.k}, 6);
    }
    return 0;
}
static int trade(void) {
    for (int give = 1; give < 6; give++)
        for (int get = 1; get < 6; get++)
            if (hand[give] >= 6 && hand[get] == 0 && bank[get] > 0)
                return ask((uint8_t[]){TRADE, me, me, give, 4, get, 1}, 7);
    return 0;
}
static void act(void) {
    uint8_t pass = PASS;
    if (!build(CITY) && !build(SETTLEMENT) && !build(ROAD) && !trade()) say(&pass, 1);
}
static void rob(void) {
    uint8_t m[4] = {ROB};
    for (int t = 0, victim = me; t < tile_count && victim == me; t++) {
        if (t == tile_at(robber)) continue;
        for (int h = 0; h < house_count; h++)
            if (houses[h].owner != me && touches(houses[h].at, t)) victim = houses[h].owner;
        m[1] = tiles[t].at.q, m[2] = tiles[t].at.r, m[3] = victim;
    }
    robber = (Hex){(int8_t)m[1], (int8_t)m[2]};
    say(m, sizeof m);
}

/* What it hears. */
static void hear_begin(uint32_t *harbours, uint32_t *players) {
    uint8_t b[26];
    hear(b, sizeof b);
    little = number(b + 22) == 0 || number(b + 22) > 255;
    if (b[12] != 2) fail("this agent plays on a board of radius 2");
    me = b[13], tile_count = number(b + 14), *harbours = number(b + 18), *players = number(b + 22);
    if (tile_count > MOST || *harbours > MOST || *players > 4) fail("that is no table for me");
}
static void hear_setup(uint32_t harbours, uint32_t players) {
    int listed = tile_count, robbed = 0;
    tile_count = 0;
    for (int k = 0; k < listed; k++) {
        Hex h;
        h.q = place(), h.r = place();
        int type = byte(), counter = byte();
        if (type == DESERT && !robbed++) robber = h;
        if (type != 0) /* the sea */
            tiles[tile_count].at = h, tiles[tile_count].type = type,
            tiles[tile_count++].counter = counter;
    }
    for (uint32_t k = 0; k < harbours; k++) spot(), spot(), byte(), byte();
    for (int r = 1; r < 6; r++) bank[r] = 19;
    for (uint32_t k = 0; k < players; k++) {
        int id = byte();
        for (int pair = 0; pair < 2; pair++) {
            Place house = spot();
            put(SETTLEMENT, house, id), put(ROAD, spot(), id);
        }
        for (int card = 0; card < 3; card++) {
            int r = byte();
            bank[r]--, hand[r] += id == me;
        }
    }
}
static void hear_build(void) {
    int owner = byte(), what = byte();
    if (what != CARD) put(what, spot(), owner);
    pay(owner, what);
}
static void hear_build_result(void) {
    int what = byte();
    put(what, at((int8_t)asked[3], (int8_t)asked[4], asked[5]), me);
    pay(me, what), left[what]--, left[SETTLEMENT] += what == CITY;
    act();
}
static void hear_trade(void) {
    int from = byte(), to = byte(), give = byte(), n = byte(), get = byte(), m = byte();
    int empty = (give == ANY && n == 0) || (get == ANY && m == 0);
    if (from == to || to == 255) { /* with the bank, a discard, or a choice */
        bank[give] += n, bank[get] -= m < bank[get] ? m : bank[get];
        if (from == me) hand[give] -= n, hand[get] += m;
    } else if (empty) { /* what a monopoly took */
        if (from == me) hand[give] -= n;
        if (to == me) hand[give] += n;
    } else if (to == me) {
        uint8_t no[] = {REJECT, me, from};
        say(no, sizeof no);
    }
}
static void hear_accept(void) {
    int from = byte(), to = byte();
    if (from != me || to != me || on_turn != me || asked[0] != TRADE) return;
    bank[asked[3]] += asked[4], hand[asked[3]] -= asked[4];
    bank[asked[5]] -= asked[6], hand[asked[5]] += asked[6];
    asked[0] = 0;
    act();
}
static void hear_rob_result(void) {
    int thief = byte(), victim = byte(), card = byte();
    if (thief != victim) hand[card] += thief == me ? 1 : -1;
    if (thief == me) act();
}

int main(int argc, char **argv) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    uint32_t harbours = 0, players = 0;
    int one = 1, roll;
    if (argc != 3) fail("usage: agent HOST PORT");
    if (getaddrinfo(argv[1], argv[2], &hints, &found)) fail("no such host");
    wire = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (connect(wire, found->ai_addr, found->ai_addrlen)) fail("no server there");
    setsockopt(wire, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    for (;;) switch (byte()) {
        case BEGIN: hear_begin(&harbours, &players); break;
        case SETUP: hear_setup(harbours, players); break;
        case KICK: byte(); break;
        case END: printf("seat %d: the winner is %d\n", me, byte()); return 0;
        case TURN:
            on_turn = byte(), free_roads = 0, asked[0] = 0;
            if (on_turn == me) { uint8_t m = ROLL; say(&m, 1); }
            break;
        case ROLL_RESULT:
            if ((roll = byte()) != 7) produce(roll);
            if (on_turn == me) { if (roll == 7) rob(); else act(); }
            break;
        case PLAY: byte(); if (byte() == 1) free_roads = 2; break;
        case BUILD: hear_build(); break;
        case BUILD_RESULT: hear_build_result(); break;
        case TRADE: hear_trade(); break;
        case ACCEPT: hear_accept(); break;
        case REJECT: byte(), byte(); break;
        case ROB: robber.q = place(), robber.r = place(), byte(); break;
        case ROB_RESULT: hear_rob_result(); break;
        default: fail("this server speaks something else");
    }
}
