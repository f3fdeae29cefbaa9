/* A complete agent for the binary protocol of docs/protocol.md, from that page alone:
 *
 *     cc -O2 -o agent agent.c && catan-env serve --agent ./agent --agent ./agent
 *
 * It builds what it can pay for, trades four cards for one with the bank, buys no development cards
 * and rejects every offer. It follows the hands that it has to know: its own and the bank's. */
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BEGIN, SETUP, KICK, END, TURN = 10, ROLL, ROLL_RESULT, PLAY, BUILD, BUILD_RESULT, TRADE,
       ACCEPT, REJECT, PASS, ROB, ROB_RESULT };
enum { EMPTY, BRICK, GRAIN, LUMBER, ORE, WOOL, DESERT, ANY = EMPTY };
enum { ROAD, SETTLEMENT, CITY, CARD }; /* a house yields as many cards as its number says */
enum { NOBODY = 255, ROAD_BUILDING = 1, MOST_TILES = 64, MOST_PIECES = 96 };

/* All places are points of one grid, six times as fine as the tiles' own: a place is the same
 * point whichever hex names it, and how far apart two points are says whether they touch. */
typedef struct { int q, r; } Point;
enum { ROAD_TO_HOUSE = 2, ROAD_TO_ROAD = 3, TILE_TO_ROAD = 3, TILE_TO_HOUSE = 4, NEIGHBOURS = 4 };
static const Point CORNERS[] = {{2, -4}, {-2, 4}};        /* N, S */
static const Point SIDES[] = {{-3, 0}, {0, -3}, {3, -3}}; /* W, NW, NE */

typedef struct { Point at; int type, counter; } Tile;
typedef struct { Point at; int owner, what; } Piece;
static const int COST[][6] = {{0,1,0,1,0,0}, {0,1,1,1,0,1}, {0,0,2,0,3,0}, {0,0,1,0,1,1}};
static Tile tiles[MOST_TILES];
static Piece pieces[MOST_PIECES];
static Point robber;
static int tile_count, piece_count, bank[6], hand[6], stock[] = {13, 3, 4};
static int me, on_turn, free_roads, wire;
static uint8_t said[7]; /* the last message: a build or trade until it is answered */

static void fail(const char *why) { fprintf(stderr, "agent: %s\n", why), exit(2); }

/* Bytes. */
static int byte(void) {
    uint8_t b;
    if (read(wire, &b, 1) != 1) fail("the server closed the connection");
    return b;
}
static Point hex(int8_t q, int8_t r) { return (Point){6 * q, 6 * r}; }
static Point place(int what, int8_t q, int8_t r, int k) {
    if (k >= (what == ROAD ? 3 : 2)) fail("a hex has no such place");
    Point tile = hex(q, r), from = what == ROAD ? SIDES[k] : CORNERS[k];
    return (Point){tile.q + from.q, tile.r + from.r};
}
static Point hear_hex(void) { int q = byte(), r = byte(); return hex(q, r); }
static Point hear_place(int what) { int q = byte(), r = byte(); return place(what, q, r, byte()); }
static int say(const uint8_t *message, size_t size) {
    if (write(wire, message, size) != (ssize_t)size) fail("the server does not listen");
    memcpy(said, message, size);
    return 1;
}

/* The rules. */
static int apart(Point a, Point b) {
    int q = a.q - b.q, r = a.r - b.r;
    return (abs(q) + abs(r) + abs(q + r)) / 2;
}
static void put(int what, Point at, int owner) {
    int k = 0;
    while (k < piece_count && apart(pieces[k].at, at) > 0) k++; /* a city replaces a settlement */
    if (k == MOST_PIECES) fail("there are more pieces than in the box");
    pieces[k] = (Piece){at, owner, what};
    piece_count += k == piece_count;
}
static int can_pay(int what) {
    for (int r = BRICK; r <= WOOL; r++)
        if (hand[r] < COST[what][r]) return 0;
    return stock[what] > 0;
}
static void pay(int owner, int what) {
    if (what == ROAD && free_roads-- > 0) return;
    for (int r = BRICK; r <= WOOL; r++) {
        bank[r] += COST[what][r];
        if (owner == me) hand[r] -= COST[what][r];
    }
}
static void produce(int roll) {
    for (int r = BRICK; r <= WOOL; r++) {
        int due[256] = {0}, wanted = 0, seats = 0;
        for (Tile *t = tiles; t < tiles + tile_count; t++)
            for (Piece *p = pieces; p < pieces + piece_count; p++) {
                if (t->type != r || t->counter != roll || apart(t->at, robber) == 0) continue;
                if (apart(t->at, p->at) != TILE_TO_HOUSE) continue;
                seats += due[p->owner] == 0;
                due[p->owner] += p->what, wanted += p->what;
            }
        if (wanted > bank[r] && seats > 1) continue; /* nobody gets any */
        if (wanted > bank[r]) wanted = bank[r];      /* a single seat gets the rest */
        hand[r] += due[me] < wanted ? due[me] : wanted;
        bank[r] -= wanted;
    }
}
/* Not all that is legal: it lays no road to a vertex where somebody else has a house. */
static int may_build(int what, Point at) {
    int is_land = 0, is_joined = 0;
    for (Tile *t = tiles; t < tiles + tile_count; t++)
        is_land |= apart(t->at, at) == (what == ROAD ? TILE_TO_ROAD : TILE_TO_HOUSE);
    for (Piece *p = pieces; p < pieces + piece_count; p++) {
        int distance = apart(p->at, at), roads = (what == ROAD) + (p->what == ROAD);
        if (distance == 0) return what == CITY && p->owner == me && p->what == SETTLEMENT;
        if (roads == 0 && distance == NEIGHBOURS) return 0;
        if (what == ROAD && roads == 1 && p->owner != me && distance == ROAD_TO_HOUSE) return 0;
        is_joined |= p->owner == me && distance == (roads == 2 ? ROAD_TO_ROAD : ROAD_TO_HOUSE);
    }
    return what != CITY && is_land && is_joined;
}

/* What it does. */
static int build(int what) {
    int names = what == ROAD ? 3 : 2; /* of each of the 7 x 7 hexes around the centre */
    for (int n = 0; can_pay(what) && n < 49 * names; n++) {
        int q = n / names / 7 - 3, r = n / names % 7 - 3, k = n % names;
        if (may_build(what, place(what, q, r, k)))
            return say((uint8_t[]){BUILD, me, what, q, r, k}, 6);
    }
    return 0;
}
static int trade(void) {
    for (int give = BRICK; give <= WOOL; give++)
        for (int get = BRICK; get <= WOOL; get++)
            if (hand[give] >= 6 && hand[get] == 0 && bank[get] > 0)
                return say((uint8_t[]){TRADE, me, me, give, 4, get, 1}, 7);
    return 0;
}
static void act(void) {
    if (!build(CITY) && !build(SETTLEMENT) && !build(ROAD) && !trade()) say((uint8_t[]){PASS}, 1);
}
static void rob(void) {
    Tile *to = apart(tiles[0].at, robber) > 0 ? &tiles[0] : &tiles[1];
    int victim = me; /* oneself where nobody else has a house */
    for (Tile *t = tiles; t < tiles + tile_count; t++)
        for (Piece *p = pieces; p < pieces + piece_count; p++)
            if (apart(t->at, robber) > 0 && apart(t->at, p->at) == TILE_TO_HOUSE && p->owner != me)
                to = t, victim = p->owner;
    robber = to->at;
    say((uint8_t[]){ROB, robber.q / 6, robber.r / 6, victim}, 4);
}

/* What it hears. */
static void hear_opening(void) { /* MSG_BEGIN, and MSG_SETUP, which follows at once */
    uint8_t b[26];
    for (size_t k = 0; k < sizeof b; k++) b[k] = byte();
    int low = b[22] > 0 ? 0 : 3; /* where the byte of a small number is: the players' is not 0 */
    int cells = b[14 + low], harbours = b[18 + low], players = b[22 + low];
    if (b[12] != 2 || cells > MOST_TILES) fail("this agent plays on a board of radius 2");
    me = b[13];
    if (byte() != SETUP) fail("this server goes on without MSG_SETUP");
    for (int k = 0, deserts = 0; k < cells; k++) {
        Tile tile = {.at = hear_hex()};
        tile.type = byte(), tile.counter = byte();
        if (tile.type == DESERT && deserts++ == 0) robber = tile.at;
        if (tile.type != EMPTY) tiles[tile_count++] = tile;
    }
    for (int k = 0; k < 8 * harbours; k++) byte(); /* it uses none */
    for (int r = BRICK; r <= WOOL; r++) bank[r] = 19;
    for (int k = 0; k < players; k++) {
        int seat = byte();
        for (int pair = 0; pair < 2; pair++)
            put(SETTLEMENT, hear_place(SETTLEMENT), seat), put(ROAD, hear_place(ROAD), seat);
        for (int card = 0, r; card < 3; card++)
            r = byte(), bank[r]--, hand[r] += seat == me;
    }
}
static void hear_build(void) {
    int owner = byte(), what = byte();
    if (what != CARD) put(what, hear_place(what), owner);
    pay(owner, what);
}
static void hear_build_result(void) {
    int what = byte();
    put(what, place(what, said[3], said[4], said[5]), me);
    pay(me, what);
    stock[what]--, stock[SETTLEMENT] += what == CITY;
    act();
}
static void exchange(int seat, int give, int n, int get, int m) { /* with the bank */
    if (m > bank[get]) m = bank[get];
    bank[give] += n, bank[get] -= m;
    if (seat == me) hand[give] -= n, hand[get] += m;
}
static void hear_trade(void) {
    int from = byte(), to = byte(), give = byte(), n = byte(), get = byte(), m = byte();
    if (from == to || to == NOBODY) exchange(from, give, n, get, m); /* discards and choices, too */
    else if (get == ANY) hand[give] -= from == me ? n : 0;           /* what a monopoly took */
    else if (to == me) say((uint8_t[]){REJECT, me, from}, 3);
}
static void hear_accept(void) {
    int from = byte(), to = byte();
    if (from != me || to != me || said[0] != TRADE) return;
    exchange(me, said[3], said[4], said[5], said[6]);
    act();
}
static void hear_rob_result(void) {
    int thief = byte(), victim = byte(), card = byte();
    if (victim != thief) hand[card] += thief == me ? 1 : -1;
    if (thief == me) act();
}

/* A server listens only until the seats are taken, and again for its next game. */
static void join(const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    if (getaddrinfo(host, port, &hints, &found)) fail("there is no such host or port");
    for (int second = 0; second < 60; second++, sleep(1)) {
        wire = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
        if (!connect(wire, found->ai_addr, found->ai_addrlen)) return;
        close(wire);
    }
    fail("no server there");
}

int main(int argc, char **argv) {
    int roll;
    if (argc != 3) fail("give it HOST PORT");
    join(argv[1], argv[2]);
    for (;;) switch (byte()) {
        case BEGIN: hear_opening(); break;
        case KICK: byte(); break;
        case END: printf("seat %d: the winner is %d\n", me, byte()); return 0;
        case TURN:
            on_turn = byte(), free_roads = 0, said[0] = 0;
            if (on_turn == me) say((uint8_t[]){ROLL}, 1);
            break;
        case ROLL_RESULT:
            produce(roll = byte()); /* no tile has a 7 */
            if (on_turn == me && roll == 7) rob();
            else if (on_turn == me) act();
            break;
        case PLAY: byte(), free_roads = byte() == ROAD_BUILDING ? 2 : free_roads; break;
        case BUILD: hear_build(); break;
        case BUILD_RESULT: hear_build_result(); break;
        case TRADE: hear_trade(); break;
        case ACCEPT: hear_accept(); break;
        case REJECT: byte(), byte(); break;
        case ROB: robber = hear_hex(), byte(); break;
        case ROB_RESULT: hear_rob_result(); break;
        default: fail("this server speaks something else");
    }
}
