/* Decisions over JSON, one request a line, as `gnosis spine decide` speaks it (version 1).  Included after words.c. */

enum { LONGEST_LINE = 1 << 20, MOST_DIGITS = 4300, DEEPEST = 64 };
typedef struct { const char *at, *end; } text;

/* ---- what is JSON at all ---- */

static bool utf8(text t) {
  const unsigned char *p = (const unsigned char *)t.at, *end = (const unsigned char *)t.end;
  while (p < end) {
    unsigned c = *p++, more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 9;
    if (more == 9 || more > (size_t)(end - p)) return false;
    if (more && ((c == 0xE0 && *p < 0xA0) || (c == 0xED && *p > 0x9F) || (c == 0xF0 && *p < 0x90) || (c == 0xF4 && *p > 0x8F))) return false;
    for (; more; more--, p++) if ((*p & 0xC0) != 0x80) return false;
  }
  return true;
}
static void blanks(text *t) { while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r')) t->at++; }
static bool one_of(text *t, char c) {
  if (t->at == t->end || *t->at != c) return false;
  t->at++;
  return true;
}
static bool digit(const text *t) { return t->at < t->end && *t->at >= '0' && *t->at <= '9'; }
static int hex(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }
static bool skip_string(text *t) {
  if (!one_of(t, '"')) return false;
  while (t->at < t->end) {
    unsigned char c = (unsigned char)*t->at++;
    if (c == '"') return true;
    if (c < 0x20) return false;
    if (c != '\\') continue;
    if (t->at == t->end) return false;
    c = (unsigned char)*t->at++;
    if (c == 'u') {
      for (int i = 0; i < 4; i++) if (t->at == t->end || hex(*t->at++) < 0) return false;
    } else if (c != '"' && c != '\\' && c != '/' && c != 'b' && c != 'f' && c != 'n' && c != 'r' && c != 't') return false;
  }
  return false;
}
static bool skip_number(text *t) {
  one_of(t, '-');
  if (!digit(t)) return false;
  if (!one_of(t, '0')) while (digit(t)) t->at++;
  if (one_of(t, '.')) {
    if (!digit(t)) return false;
    while (digit(t)) t->at++;
  }
  if (t->at < t->end && (*t->at | 32) == 'e') {
    t->at++;
    if (t->at < t->end && (*t->at == '+' || *t->at == '-')) t->at++;
    if (!digit(t)) return false;
    while (digit(t)) t->at++;
  }
  return true;
}
static bool skip_word(text *t, const char *word) {
  size_t n = length(word);
  if ((size_t)(t->end - t->at) < n) return false;
  for (size_t i = 0; i < n; i++) if (t->at[i] != word[i]) return false;
  t->at += n;
  return true;
}
/* One value of any kind.  No recursion: which of the open brackets are of objects is kept in bits. */
static bool skip_value(text *t) {
  uint64_t objects = 0;
  for (int depth = 0;;) {
    blanks(t);
    if (t->at == t->end) return false;
    bool opened = false;
    char c = *t->at;
    if (c == '[' || c == '{') {
      if (++depth > DEEPEST) return false;
      objects = objects << 1 | (c == '{');
      t->at++;
      opened = true;
    } else if (c == '"' ? !skip_string(t) : c == 't' ? !skip_word(t, "true") : c == 'f' ? !skip_word(t, "false") : c == 'n' ? !skip_word(t, "null") : !skip_number(t)) return false;
    for (;;) { /* what may follow a value, or an opened bracket */
      blanks(t);
      if (!depth) return true;
      bool object = objects & 1;
      if (one_of(t, object ? '}' : ']')) { depth--; objects >>= 1; opened = false; continue; }
      if (!opened && !one_of(t, ',')) return false;
      if (object) {
        blanks(t);
        if (!skip_string(t)) return false;
        blanks(t);
        if (!one_of(t, ':')) return false;
      }
      break;
    }
  }
}

/* ---- what a request is ---- */

static _Noreturn void bad(const char *why) { gnosis_heap_now->message[0] = 0; malformed(why); }
/* name = value: why, with the places of entries behind the name; the value as it stands, cut after 40 bytes */
typedef struct { const char *name; size_t at[2]; int deep; } place;
static _Noreturn void bad_value(place p, text value, const char *why) {
  struct gnosis_heap *h = gnosis_heap_now;
  char shown[48];
  size_t n = 0;
  h->message[0] = 0;
  say(h, p.name);
  for (int i = 0; i < p.deep; i++) { say(h, "["); say_number(h, p.at[i], false); say(h, "]"); }
  while (value.end > value.at && (unsigned char)value.end[-1] <= ' ') value.end--;
  while (n < 40 && value.at + n < value.end) shown[n] = value.at[n], n++;
  while (n && value.at + n < value.end && (value.at[n] & 0xC0) == 0x80) n--; /* no half of a letter */
  shown[n] = 0;
  say(h, " = ");
  say(h, shown);
  if (value.at + n < value.end) say(h, "…");
  malformed(why);
}
static bool is_number(text t) { return t.at < t.end && (*t.at == '-' || digit(&t)); }
static O json_number(text *t, bool nat, place p) {
  text whole = *t;
  if (!skip_value(t)) bad("not JSON");
  whole.end = t->at;
  text rest = whole;
  bool minus = one_of(&rest, '-');
  const char *from = rest.at;
  while (digit(&rest)) rest.at++;
  text after = rest;
  blanks(&after);
  if (!is_number(whole) || after.at != after.end) bad_value(p, whole, "not an integer");
  size_t n = (size_t)(rest.at - from);
  if (n > MOST_DIGITS) bad_value(p, whole, "more than 4300 digits");
  minus = minus && !(n == 1 && *from == '0');
  if (nat && minus) bad_value(p, whole, "must not be negative");
  if (n < 18) {
    int64_t x = 0;
    for (size_t i = 0; i < n; i++) x = 10 * x + (from[i] - '0');
    return integer(minus ? -x : x);
  }
  return from_digits(from, n, minus);
}
static O json_bool(text *t, place p) {
  text whole = *t;
  if (skip_word(t, "true")) return lean_box(1);
  if (skip_word(t, "false")) return lean_box(0);
  if (!skip_value(t)) bad("not JSON");
  whole.end = t->at;
  bad_value(p, whole, "not true or false");
}
static O json_list(text *t, char kind, place p);
static O json_entry(text *t, char kind, place p) {
  if (kind == 'I' || kind == 'N') return json_number(t, kind == 'N', p);
  if (kind == 'B') return json_bool(t, p);
  if (kind == 'L' || kind == 'M') return json_list(t, kind == 'L' ? 'I' : 'B', p);
  unsigned each = kind == 'P' ? 2 : 3, n = 0; /* pairs and triples of natural numbers */
  text whole = *t;
  O x[3];
  bool wrong_count = false;
  if (!one_of(t, '[')) { skip_value(t); whole.end = t->at; bad_value(p, whole, "not a list"); }
  for (blanks(t); !one_of(t, ']'); blanks(t)) {
    place q = p;
    q.at[q.deep++] = n;
    if (n && !one_of(t, ',')) bad("not JSON");
    blanks(t);
    O y = json_number(t, true, q);
    if (n < each) x[n] = y; else { lean_dec(y); wrong_count = true; }
    n++;
  }
  whole.end = t->at;
  if (n != each || wrong_count) bad_value(p, whole, each == 2 ? "not 2 numbers" : "not 3 numbers");
  return pair(x[0], each == 2 ? x[1] : pair(x[1], x[2]));
}
static O json_list(text *t, char kind, place p) {
  text whole = *t;
  building b = {lean_box(0), NULL};
  if (!one_of(t, '[')) { skip_value(t); whole.end = t->at; bad_value(p, whole, "not a list"); }
  place q = p;
  size_t i = 0;
  q.deep++;
  for (blanks(t); !one_of(t, ']'); blanks(t), i++) {
    if (i && !one_of(t, ',')) bad("not JSON");
    blanks(t);
    q.at[p.deep] = i;
    push(&b, json_entry(t, kind, q));
  }
  return b.head;
}

/* Whether the string at t, which was skipped before, is `word`; escapes are undone. */
static bool spells(text t, const char *word) {
  t.at++;
  t.end--;
  for (; t.at < t.end; word++) {
    int c = (unsigned char)*t.at++;
    if (c == '\\') {
      c = (unsigned char)*t.at++;
      if (c == 'u') {
        c = 0;
        for (int i = 0; i < 4; i++) c = c << 4 | hex(*t.at++);
      } else c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'b' ? '\b' : c == 'f' ? '\f' : c == 'r' ? '\r' : c;
    }
    if (!*word || c != (unsigned char)*word) return false;
  }
  return !*word;
}

enum { V, ID, DECISION, ARGS, FIELDS };
static const char *const FIELD[FIELDS] = {"v", "id", "decision", "args"};
typedef struct { text field[FIELDS]; } request;

static void read_request(text t, request *r) {
  text whole = t, known = {NULL, NULL}, unknown = {NULL, NULL};
  if (t.end - t.at > LONGEST_LINE) bad("a line of more than 1048576 bytes");
  if (!utf8(t)) bad("not UTF-8");
  blanks(&t);
  if (!skip_value(&t)) bad("not JSON, or nested too deeply");
  blanks(&t);
  if (t.at != t.end) bad("not JSON: something follows the request");
  t = whole;
  blanks(&t);
  if (!one_of(&t, '{')) bad("a request is an object");
  bool twice = false;
  for (blanks(&t); !one_of(&t, '}'); blanks(&t)) {
    one_of(&t, ',');
    blanks(&t);
    text name = t;
    skip_string(&t);
    name.end = t.at;
    blanks(&t);
    one_of(&t, ':');
    blanks(&t);
    text value = t;
    skip_value(&t);
    value.end = t.at;
    while (value.end > value.at && (unsigned char)value.end[-1] <= ' ') value.end--;
    int k = 0;
    while (k < FIELDS && !spells(name, FIELD[k])) k++;
    if (k == FIELDS) unknown = unknown.at ? unknown : name;
    else if (r->field[k].at) twice = true;
    else r->field[k] = value;
  }
  if (twice) bad("a field occurs twice");
  text id = r->field[ID];
  if (id.at && *id.at == '"') known = id;
  if (id.at && is_number(id)) {
    text rest = id;
    one_of(&rest, '-');
    while (digit(&rest)) rest.at++;
    if (rest.at == id.end && id.end - id.at <= MOST_DIGITS) known = id;
    if (known.at && id.end - id.at == 2 && id.at[0] == '-' && id.at[1] == '0') known.at++;
  }
  gnosis_heap_now->id = known.at;
  gnosis_heap_now->id_end = known.end;
  text v = r->field[V];
  if (!v.at || v.end - v.at != 1 || *v.at != '1') bad("v must be 1");
  if (!known.at) bad("id must be a string or an integer");
  if (unknown.at) bad_value((place){"unknown field", {0}, 0}, unknown, "a request has v, id, decision and args");
  for (int k = 0; k < FIELDS; k++) if (!r->field[k].at) bad(k == DECISION ? "no field 'decision'" : "no field 'args'");
}

/* ---- answers ---- */

typedef struct { char *at; size_t n, room; } out;
static void put_char(out *o, char c) { if (o->n < o->room) o->at[o->n] = c; o->n++; }
static void put_text(out *o, const char *s) { while (*s) put_char(o, *s++); }
static void json_integer(out *o, O x) {
  size_t left = o->n < o->room ? o->room - o->n : 0;
  o->n += to_digits(x, o->at + (left ? o->n : 0), left);
}
static void json_value(out *o, O x, char kind) {
  if (kind == 'b') { put_text(o, lean_unbox(x) ? "true" : "false"); return; }
  if (kind == 'i' || kind == 'n') { json_integer(o, x); return; }
  if (kind == 'o') {
    if (lean_is_scalar(x)) put_text(o, "null"); else json_integer(o, lean_ctor_get(x, 0));
    return;
  }
  put_char(o, '[');
  if (kind == 'p') {
    json_integer(o, lean_ctor_get(x, 0));
    put_text(o, ", ");
    json_integer(o, lean_ctor_get(x, 1));
  } else for (O l = x; !lean_is_scalar(l); l = lean_ctor_get(l, 1)) {
    if (l != x) put_text(o, ", ");
    json_value(o, lean_ctor_get(l, 0), kind == 'I' ? 'i' : kind == 'N' ? 'n' : kind == 'B' ? 'b' : 'p');
  }
  put_char(o, ']');
}
static void put_head(out *o, text id) {
  put_text(o, "{\"v\": 1, \"id\": ");
  if (!id.at) put_text(o, "null");
  for (const char *p = id.at; p < id.end; p++) put_char(o, *p);
}
/* The answer that says why the last call failed. */
static int64_t put_failure(gnosis_context *h, out *o) {
  static const char digits[] = "0123456789abcdef";
  put_head(o, (text){h->id, h->id_end});
  put_text(o, ", \"error\": \"");
  for (const char *p = gnosis_message(h); *p; p++) {
    unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\') put_char(o, '\\');
    if (c < 0x20) { put_text(o, "\\u00"); put_char(o, digits[c >> 4]); put_char(o, digits[c & 15]); }
    else put_char(o, (char)c);
  }
  put_text(o, "\"}");
  return (int64_t)o->n;
}

static void decide(gnosis_context *h, text line, request *r, out *o) {
  read_request(line, r);
  text name = r->field[DECISION];
  unsigned which = 0;
  place nowhere = {"decision", {0}, 0};
  while (which < decisions && !(*name.at == '"' && spells(name, table[which].name))) which++;
  if (which == decisions) bad_value(nowhere, name, "unknown");
  const struct decision *d = &table[which];
  text t = r->field[ARGS];
  nowhere.name = "args";
  if (!one_of(&t, '[')) bad_value(nowhere, r->field[ARGS], "not a list");
  O args[MOST_ARGUMENTS];
  unsigned n = 0;
  for (text count = t;; n++) { /* how many there are is said before what is wrong with one */
    blanks(&count);
    if (one_of(&count, ']')) break;
    if (n) one_of(&count, ',');
    skip_value(&count);
  }
  if (n != length(d->takes)) {
    h->message[0] = 0;
    say(h, "args: ");
    say(h, d->name);
    say(h, " takes ");
    say_number(h, length(d->takes), false);
    say(h, " (");
    for (unsigned i = 0; d->takes[i]; i++) { if (i) say(h, ", "); say(h, d->names[i]); }
    say(h, "), not ");
    say_number(h, n, false);
    gnosis_fail(GNOSIS_MALFORMED);
  }
  for (unsigned i = 0; d->takes[i]; i++) {
    place p = {d->names[i], {0}, 0};
    blanks(&t);
    if (i) one_of(&t, ',');
    blanks(&t);
    args[i] = d->takes[i] == 'i' || d->takes[i] == 'n' ? json_number(&t, d->takes[i] == 'n', p) : json_list(&t, d->takes[i], p);
  }
  O result = d->run(args);
  put_head(o, (text){h->id, h->id_end});
  put_text(o, ", \"result\": ");
  json_value(o, result, d->gives);
  put_char(o, '}');
  lean_dec(result);
}

/* The answer to one request: how many bytes it has, which are complete when they are not more than `room`. */
API(gnosis_decide) int64_t gnosis_decide(gnosis_context *h, const char *line, size_t n, char *answer, size_t room) {
  text t = {line, line + n};
  out o = {answer, 0, room};
#ifdef __wasm__ /* after a trap the host asks gnosis_decide_failure */
  begin(h);
  request r = {0};
  decide(h, t, &r, &o);
  return end(h, (int64_t)o.n);
#else
  jmp_buf back;
  request r = {0};
  begin(h);
  h->jump = &back;
  if (!setjmp(back)) {
    decide(h, t, &r, &o);
    if (end(h, 0) == 0) return (int64_t)o.n;
  }
  failed(h);
  return put_failure(h, &(out){answer, 0, room});
#endif
}
#ifdef __wasm__
API(gnosis_decide_failure) int64_t gnosis_decide_failure(gnosis_context *h, char *answer, size_t room) {
  return put_failure(h, &(out){answer, 0, room});
}
#endif
