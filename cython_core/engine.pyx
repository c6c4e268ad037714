# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""A language model's forward pass as one compiled call: products of codes and whole activations, attention over a cache, threads that stay.

The bits of an output do not depend on the other tokens of a pass, on the number of threads or on the instruction set.  docs/engine.md says
what is computed.
"""
from libc.stdint cimport int64_t

import numpy as np

from gnosis.core import blocks as _blocks
from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result, whole
from gnosis.errors import LengthError, NonFiniteError, RangeError

cdef extern from "engine.h":
    ctypedef struct gnosis_engine:
        pass
    ctypedef struct gnosis_engine_config:
        ptrdiff_t layers, width, heads, groups, head, inner, vocabulary
        float eps, attention_scale, embedding_scale
        int halves, gelu, bits, threads
    ctypedef struct gnosis_engine_pass:
        float *keys
        float *values
        float *scores
        float *hidden
        float *logits
        const float *cos[2]
        const float *sin[2]
        const int64_t *ids
        ptrdiff_t capacity, start, tokens, want
        int coarse
    enum:
        GNOSIS_NESTED
    size_t gnosis_engine_matrix_bytes(int, ptrdiff_t, ptrdiff_t) nogil
    size_t gnosis_engine_vector_bytes(ptrdiff_t) nogil
    int gnosis_engine_level(int) nogil
    gnosis_engine *gnosis_engine_new(const gnosis_engine_config *, size_t) nogil
    void gnosis_engine_free(gnosis_engine *) nogil
    int gnosis_engine_share(gnosis_engine *, const gnosis_engine *) nogil
    ptrdiff_t gnosis_engine_put(gnosis_engine *, ptrdiff_t, int, int, const unsigned char *, ptrdiff_t, ptrdiff_t) nogil
    int gnosis_engine_vector(gnosis_engine *, ptrdiff_t, int, const float *, ptrdiff_t) nogil
    int gnosis_engine_embedding(gnosis_engine *, int, const unsigned char *) nogil
    int gnosis_engine_layer(gnosis_engine *, ptrdiff_t, ptrdiff_t, int) nogil
    int gnosis_engine_ready(const gnosis_engine *) nogil
    ptrdiff_t gnosis_engine_run(gnosis_engine *, const gnosis_engine_pass *, int) nogil
    ptrdiff_t gnosis_engine_largest(const float *, ptrdiff_t, float *, int) nogil

cdef extern from "engine_head.h":
    ctypedef struct gnosis_engine_head:
        pass
    gnosis_engine_head *gnosis_engine_head_new(int, const unsigned char *, ptrdiff_t, ptrdiff_t, int, int, ptrdiff_t *) nogil
    gnosis_engine_head *gnosis_engine_head_of(gnosis_engine *, const unsigned char *, int, ptrdiff_t *) nogil
    void gnosis_engine_head_free(gnosis_engine_head *) nogil
    size_t gnosis_engine_head_bytes(const gnosis_engine_head *) nogil
    ptrdiff_t gnosis_engine_head_pass(gnosis_engine_head *, const float *, ptrdiff_t, int, float *, float *, float *, float *, int *, int) nogil
    ptrdiff_t gnosis_engine_head_left(const gnosis_engine_head *, const float *, const float *, const float *, const float *, int64_t *, float *, float *,
                                      double *) nogil
    ptrdiff_t gnosis_engine_head_rows(int, const unsigned char *, ptrdiff_t, const double *, const int64_t *, ptrdiff_t, double *, double *, int) nogil

MATRICES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down", "head")
VECTORS = ("attn_norm", "ffn_norm", "attn_q_norm", "attn_k_norm", "post_attention_norm", "post_ffw_norm", "attn_q.bias", "attn_k.bias", "attn_v.bias",
           "output_norm")
TOKENS = 64     # of one pass of the kernel; longer prompts are cut
HEADS = 4       # of attention at once: rows of room for scores that each thread needs
MOST_THREADS = 256
_MOST = 1 << 30
_COLUMNS = 1 << 17      # of a head
_ROWS = 1 << 30
TILE = 128      # rows of a head of which the largest ends are kept


def isa() -> str:
    """The instruction set that passes use now: that of `gnosis.core.cpu`, or "avx512vnni"."""
    return ("plain", "avx2", "avx512", "avx512vnni")[gnosis_engine_level(_cpu.level())]


def matrix_bytes(encoding, rows, columns) -> int:
    """Bytes of a matrix in the engine.  RangeError for sizes that do not fit."""
    cdef size_t n = gnosis_engine_matrix_bytes(_kind(encoding), whole("rows", rows, 1, _MOST), whole("columns", columns, 1, _MOST))
    if not n:
        raise RangeError("columns", columns, f"{rows} rows of so many {encoding} weights are no matrix of whole blocks that fits into memory")
    return n


def largest(logits):
    """The first largest entry of each row and its lead over the largest other one.  logits: float32[t, n].  Returns int64[t], float32[t].

    LengthError, DtypeError.
    """
    logits = given("logits", logits, np.float32, (None, None))
    if not logits.shape[1]:
        raise LengthError("logits", logits.shape, "rows need an entry")
    at, lead = np.empty(logits.shape[0], np.int64), np.empty(logits.shape[0], np.float32)
    cdef const float[:, ::1] x = logits
    cdef int64_t[::1] a = at
    cdef float[::1] l = lead
    cdef int level = gnosis_engine_level(_cpu.level())
    cdef ptrdiff_t t
    with nogil:
        for t in range(x.shape[0]):
            a[t] = gnosis_engine_largest(&x[t, 0], x.shape[1], &l[t], level)
    return at, lead


cdef class Engine:
    """The weights of a model, repacked, and the threads that multiply with them.  For use by one thread at a time; `gnosis.engine` sees to that.

    sizes: layers, width, heads, groups, head, inner, vocabulary, bits (16 or 8), threads.  region: sum of `matrix_bytes` and of `vector_bytes`
    of all that will be put.  RangeError for sizes that do not fit together, MemoryError.
    """

    cdef gnosis_engine *engine
    cdef gnosis_engine_config config
    cdef object rows, kept

    def __cinit__(self, region, eps, attention_scale, embedding_scale=1.0, halves=False, gelu=False, **sizes):
        cdef gnosis_engine_config *c = &self.config
        _cpu.check_environment()  # threads start with that of the one that makes them
        c.layers, c.width, c.heads, c.groups, c.head, c.inner, c.vocabulary = (
            whole(name, sizes[name], 1, _MOST) for name in ("layers", "width", "heads", "groups", "head", "inner", "vocabulary"))
        c.bits, c.threads = whole("bits", sizes["bits"], 8, 16), whole("threads", sizes["threads"], 1, MOST_THREADS)
        c.eps, c.attention_scale, c.embedding_scale, c.halves, c.gelu = eps, attention_scale, embedding_scale, bool(halves), bool(gelu)
        self.rows, self.kept = 0, None
        if c.bits not in (8, 16) or c.heads % c.groups or c.head % 16 or c.width % 32 or c.inner % 32 or c.heads * c.head % 32:
            raise RangeError("sizes", sizes, "heads must be a multiple of groups, head of 16, width, inner and heads · head of 32, bits 16 or 8")
        cdef size_t n = whole("region", region, 0, 1 << 62)
        with nogil:
            self.engine = gnosis_engine_new(c, n)
        if self.engine is NULL:
            raise MemoryError(f"{n} bytes for the weights of a model")

    def __dealloc__(self):
        self.close()

    def close(self):
        """Give memory and threads back.  Nothing else works afterwards."""
        cdef gnosis_engine *gone = self.engine
        self.engine, self.kept = NULL, None
        with nogil:
            gnosis_engine_free(gone)

    @property
    def closed(self) -> bool:
        return self.engine is NULL

    def share(self, Engine other):
        """Use the threads of another engine from now on; calls for both come one after the other.  RangeError for another number of threads."""
        if gnosis_engine_share(self.open(), other.open()):
            raise RangeError("threads", self.config.threads, f"the other engine has {other.config.threads}")

    cdef gnosis_engine *open(self) except NULL:
        if self.engine is NULL:
            raise RangeError("engine", "closed", "was given back with close()")
        return self.engine

    def put(self, layer, name, encoding, raw, columns, nested=False):
        """A matrix of `MATRICES`.  raw: uint8[rows, bytes of a row].  Not kept.  nested: of Q8_0, in two planes of four bits, so that `run` can read one alone.

        NonFiniteError naming the row; RangeError where the shape is not that of the place or the place is taken.
        """
        if name not in MATRICES:
            raise RangeError("name", name, f"not one of {', '.join(MATRICES)}")
        if nested and encoding != "Q8_0":
            raise RangeError("encoding", encoding, "the nested code is one of Q8_0 blocks")
        cdef int kind = GNOSIS_NESTED if nested else _kind(encoding), slot = MATRICES.index(name)
        columns = whole("columns", columns, 1, _MOST)
        weights, size = _blocks.sizes(encoding)
        raw = given("raw", raw, np.uint8, (None, columns // weights * size))
        cdef const unsigned char[:, ::1] r = raw
        cdef ptrdiff_t at = layer, k = columns, bad
        cdef gnosis_engine *e = self.open()
        if not r.shape[0]:
            raise LengthError("raw", raw.shape, "must not be empty")
        with nogil:
            bad = gnosis_engine_put(e, at, slot, kind, &r[0, 0], r.shape[0], k)
        if bad >= 0:
            raise NonFiniteError("raw", encoding, bad, "a scale or weight of this row is not a finite number")
        if bad != -1:
            raise RangeError("raw", (raw.shape[0], columns), f"{name} of layer {layer} does not have this shape, was put before, or the region is full")

    def vector(self, layer, name, values):
        """A norm or bias of `VECTORS`, float32[n].  NonFiniteError, RangeError."""
        if name not in VECTORS:
            raise RangeError("name", name, f"not one of {', '.join(VECTORS)}")
        values = given("values", values, np.float32, (None,))
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            raise NonFiniteError(name, float(values[wrong[0]]), int(wrong[0]))
        cdef const float[::1] v = values
        if not v.shape[0] or gnosis_engine_vector(self.open(), layer, VECTORS.index(name), &v[0], v.shape[0]):
            raise RangeError("values", values.shape[0], f"{name} of layer {layer} does not have this length, was put before, or the region is full")

    def embedding(self, encoding, raw):
        """The rows that tokens begin as: uint8[n, bytes of a row], kept as it is."""
        weights, size = _blocks.sizes(encoding)
        raw = given("raw", raw, np.uint8, (None, self.config.width // weights * size))
        cdef const unsigned char[:, ::1] r = raw
        if not r.shape[0] or gnosis_engine_embedding(self.open(), _kind(encoding), &r[0, 0]):
            raise RangeError("raw", raw.shape, f"rows of {self.config.width} weights are not whole {encoding} blocks")
        self.kept, self.rows = raw, raw.shape[0]

    def layer(self, layer, window, table):
        """window: positions that a token sees, 0 for all; table: rotation 0 or 1."""
        if gnosis_engine_layer(self.open(), whole("layer", layer, 0, _MOST), whole("window", window, 0, _MOST), whole("table", table, 0, 1)):
            raise RangeError("layer", layer, f"the model has {self.config.layers} layers")

    def run(self, ids, keys, values, start, tables, scores, logits, coarse=0):
        """Read tokens at positions from `start` on.

        ids: int64[t].  keys, values: float32[layers, groups, capacity, head], capacity a multiple of 16; positions start … start + t − 1 are written.
        tables: one or two pairs (cos, sin) of float32[positions, head / 2].  scores: float32[threads · HEADS · capacity], room.
        logits: float32[want, vocabulary], filled for the last `want` tokens.
        Returns float32[t, width], after the last norm.  The GIL is released.
        NonFiniteError naming token and column; RangeError, LengthError, DtypeError, FloatEnvironmentError.
        """
        cdef gnosis_engine_config *c = &self.config
        cdef gnosis_engine *e = self.open()
        cdef gnosis_engine_pass p
        cdef ptrdiff_t t, done = 0, count, want, bad = -1
        cdef int level = gnosis_engine_level(_cpu.level())
        _cpu.check_environment()
        ids = given("ids", ids, np.int64, (None,))
        keys = result(keys, np.float32, (c.layers, c.groups, keys.shape[2], c.head), ())
        values = result(values, np.float32, keys.shape, (keys,))
        scores = result(scores, np.float32, (c.threads * HEADS * keys.shape[2],), (keys, values))
        logits = result(logits, np.float32, (logits.shape[0], c.vocabulary), (keys, values, scores))
        count, want = ids.shape[0], logits.shape[0]
        start = whole("start", start, 0, keys.shape[2])
        if not count or count > keys.shape[2] - start or want > count or keys.shape[2] % 16:
            raise LengthError("ids", ids.shape, f"{want} logits wanted, {keys.shape[2] - start} of {keys.shape[2]} positions are free")
        if ids.min() < 0 or ids.max() >= self.rows:
            raise RangeError("ids", int(ids.max()), f"the embedding has {self.rows} rows")
        if not gnosis_engine_ready(e):
            raise RangeError("engine", "incomplete", "not all matrices and norms were put")
        pairs = [tuple(given("tables", table, np.float32, (None, c.head // 2)) for table in pair) for pair in tables]
        if any(table.shape[0] < start + count for pair in pairs for table in pair):
            raise LengthError("tables", [table.shape for pair in pairs for table in pair], f"{start + count} positions are asked for")
        hidden = np.empty((count, c.width), np.float32)
        cdef const int64_t[::1] tokens = ids
        cdef float[:, :, :, ::1] k = keys, v = values
        cdef float[::1] s = scores
        cdef float[:, ::1] h = hidden, z = logits
        cdef const float[:, ::1] table
        p.keys, p.values, p.scores, p.capacity = &k[0, 0, 0, 0], &v[0, 0, 0, 0], &s[0], k.shape[2]
        for i in range(2):
            table = pairs[min(i, len(pairs) - 1)][0]
            p.cos[i] = &table[0, 0]
            table = pairs[min(i, len(pairs) - 1)][1]
            p.sin[i] = &table[0, 0]
        p.start, p.coarse = start, whole("coarse", coarse, 0, 2)
        with nogil:
            while done < count and bad == -1:
                t = count - done if count - done < 64 else 64
                p.ids, p.tokens, p.hidden = &tokens[done], t, &h[done, 0]
                # of these tokens, those of the last `want`
                p.want = done + t - (count - want) if done + t > count - want else 0
                if p.want > t:
                    p.want = t
                p.logits = &z[done + t - p.want - (count - want), 0] if p.want else NULL
                bad = gnosis_engine_run(e, &p, level)
                if bad == -1:
                    done += t
                    p.start += t
        if bad >= 0:
            at = (done + bad // c.width, bad % c.width)
            raise NonFiniteError("hidden", float(hidden[at]), at, "the model's arithmetic left the finite numbers")
        if bad != -1:
            raise RangeError("ids", ids.shape[0], "the engine refused the pass")
        return hidden


cdef class Head:
    """An output matrix as passes multiply with it, and the norms of its rows, from which the bounds are made.

    encoding, raw uint8[rows, bytes of a row], columns: the matrix.  engine: None, or the `Engine` whose head this matrix is; then nothing is packed again,
    and the engine's threads are used, by one caller at a time.  threads: of a matrix of its own, 1 to 256.
    NonFiniteError naming the row, RangeError (rows with a norm above 2^100), LengthError, MemoryError.
    """

    cdef gnosis_engine_head *head
    cdef readonly Engine engine
    cdef readonly ptrdiff_t rows, columns
    cdef object raw, _z, _eps, _index, _left
    cdef int kind

    def __cinit__(self, encoding, raw, columns, Engine engine=None, threads=1):
        cdef ptrdiff_t k = whole("columns", columns, 1, _COLUMNS), n, why = 0
        cdef int many = whole("threads", threads, 1, MOST_THREADS), level = gnosis_engine_level(_cpu.level())
        cdef gnosis_engine *e = NULL
        _cpu.check_environment()
        self.kind = _kind(encoding)
        weights, size = _blocks.sizes(encoding)
        if k % weights:
            raise LengthError("columns", k, f"rows of {encoding} have a multiple of {weights} weights")
        raw = given("raw", raw, np.uint8, (None, k // weights * size))
        cdef const unsigned char[:, ::1] r = raw
        n = r.shape[0]
        if not 1 <= n <= _ROWS:
            raise LengthError("raw", raw.shape, f"a head has 1 to {_ROWS} rows")
        if engine is not None:
            e = engine.open()
            if n != engine.config.vocabulary or k != engine.config.width:
                raise LengthError("raw", (n, k), f"the engine's head is {engine.config.vocabulary} × {engine.config.width}")
        self.engine, self.raw, self.rows, self.columns = engine, raw, n, k
        with nogil:
            if e is NULL:
                self.head = gnosis_engine_head_new(self.kind, &r[0, 0], n, k, many, level, &why)
            else:
                self.head = gnosis_engine_head_of(e, &r[0, 0], level, &why)
        if why >= 0:
            raise NonFiniteError("raw", encoding, why, "a scale or weight of this row is not a finite number")
        if why == -4:
            raise RangeError("raw", encoding, "a row's norm is above 2^100: its products could leave float32")
        if why == -3:
            raise MemoryError(f"a head of {n} rows and {k} columns")
        if why != -1:
            raise RangeError("raw", (n, k), f"no {encoding} matrix of an engine's head")

    def __dealloc__(self):
        gnosis_engine_head_free(self.head)

    @property
    def nbytes(self) -> int:
        """Of the packed weights and the norms; of the norms alone where the weights are an engine's."""
        return gnosis_engine_head_bytes(self.head)

    @property
    def norm_bytes(self) -> int:
        """Of the norms."""
        return self.stride * 4 * (2 if self.kind in (_kind("Q4_1"), _kind("Q5_1"), _kind("Q4_K"), _kind("Q5_K")) else 1)

    @property
    def stride(self) -> int:
        """Entries from one token's scores to the next one's: the rows, rounded up to 16."""
        return (self.rows + 15) // 16 * 16

    def scores(self, a, z, eps=None, bits=16):
        """One pass: |z[t, r] − y| ≤ eps[t, r] for the exact product y of row r, decoded, with a[t] · 2^-exponent[t].

        a: float32[t, columns], t from 1 to 64.  z, eps: float32[t, stride], written in place; past the last row z is -infinity; eps None: no bounds.
        bits: 16, or 8, of which no bound is known.  Returns the exponents int32[t], and low and high, float32[t, tiles]: the largest z − eps and z + eps of each
        TILE rows, as float32 rounds them (None without bounds).  A row of a tile whose high is below the largest low cannot win: rounding is monotone.  The bound takes in the rounding of the activations (`Gnosis.energy_sidecar_sound`) and of
        every float operation; the argument is in engine_head.c.  The same numbers alone and together, on every instruction set, for any threads.
        The GIL is released; one call at a time.  NonFiniteError naming token and column, RangeError, LengthError, DtypeError, FloatEnvironmentError.
        """
        a = given("a", a, np.float32, (None, self.columns))
        tokens = a.shape[0]
        if not 1 <= tokens <= TOKENS:
            raise LengthError("a", a.shape, f"a pass reads 1 to {TOKENS} activations")
        if bits not in (16, 8) or (bits == 8 and eps is not None):
            raise RangeError("bits", bits, "must be 16, or 8 without bounds")
        if self.engine is not None:
            self.engine.open()
        z = result(z, np.float32, (tokens, self.stride), (a,))
        cdef float[:, ::1] zs = z, es
        cdef float[:, ::1] lows, highs
        cdef float *bounds = NULL
        cdef float *least = NULL
        cdef float *most = NULL
        low = high = None
        if eps is not None:
            eps = result(eps, np.float32, (tokens, self.stride), (a, z))
            es = eps
            bounds = &es[0, 0]
            low, high = np.empty((2, tokens, (self.rows + TILE - 1) // TILE), np.float32)
            lows, highs = low, high
            least, most = &lows[0, 0], &highs[0, 0]
        exponents = np.empty(tokens, np.int32)
        cdef int[::1] x = exponents
        cdef const float[:, ::1] v = a
        cdef ptrdiff_t n = tokens, bad
        cdef int level = gnosis_engine_level(_cpu.level()), b = bits
        _cpu.check_environment()
        with nogil:
            bad = gnosis_engine_head_pass(self.head, &v[0, 0], n, b, &zs[0, 0], bounds, least, most, &x[0], level)
        if bad >= 0:
            at = (bad // self.columns, bad % self.columns)
            raise NonFiniteError("a", float(a[at]), at)
        if bad != -1:
            raise RangeError("a", a.shape, "the pass was refused")
        return exponents, low, high

    def left(self, a):
        """One pass, and for each activation the rows of the tiles that can have a candidate under its bounds.

        a: as in `scores`.  Returns for each activation: exponent; rows int64[n], ascending, their scores and bounds float32[n] each, of which
        `gnosis.core.margin.candidates` are those of all rows; a lead (float): the largest z − eps less the largest z + eps of another row, from below.
        The errors of `scores`.
        """
        a = given("a", a, np.float32, (None, self.columns))
        tokens = a.shape[0]
        if self._eps is None or self._eps.shape[0] < tokens:
            self._z, self._eps = np.empty((2, tokens, self.stride), np.float32)
        if self._index is None:
            self._index, self._left = np.empty(self.rows, np.int64), np.empty((2, self.rows), np.float32)
        exponents, low, high = self.scores(a, self._z[:tokens], self._eps[:tokens])
        cdef float[:, ::1] z = self._z, eps = self._eps, l = low, h = high, some = self._left
        cdef int64_t[::1] index = self._index
        cdef ptrdiff_t t, n
        cdef double lead
        out = []
        for t in range(tokens):
            with nogil:
                n = gnosis_engine_head_left(self.head, &z[t, 0], &eps[t, 0], &l[t, 0], &h[t, 0], &index[0], &some[0, 0], &some[1, 0], &lead)
            out.append((int(exponents[t]), self._index[:n].copy(), *self._left[:, :n].copy(), lead))
        return out

    def largest(self, a, bits=8):
        """The first largest score of a pass without bounds, int64[t].  a, bits and errors: as in `scores`."""
        a = given("a", a, np.float32, (None, self.columns))
        if self._z is None or self._z.shape[0] < a.shape[0]:
            self._z, self._eps = np.empty((a.shape[0], self.stride), np.float32), None
        self.scores(a, self._z[:a.shape[0]], None, bits)
        return largest(self._z[:a.shape[0]])[0]

    def products(self, x, index):
        """Chosen rows in float64: y float64[n] and err float64[n] with |y − exact product of row index[i], decoded, with x| ≤ err.

        x: float64[columns], float32 numbers times one power of two, at most 1 in size.  index: int64[n], each below the rows.  The argument is in
        engine_head.c; the same numbers on every instruction set.  The GIL is released.  RangeError naming the entry, LengthError, DtypeError,
        FloatEnvironmentError.
        """
        x = given("x", x, np.float64, (self.columns,))
        if not np.abs(x).max() <= 1:
            raise RangeError("x", float(np.abs(x).max()), "must be at most 1 in size")
        index = given("index", index, np.int64, (None,))
        wrong = np.flatnonzero((index < 0) | (index >= self.rows))
        if wrong.size:
            raise RangeError("index", int(index[wrong[0]]), f"there are {self.rows} rows", int(wrong[0]))
        y, err = np.empty(index.shape), np.empty(index.shape)
        cdef const unsigned char[:, ::1] r = self.raw
        cdef const double[::1] v = x
        cdef const int64_t[::1] at = index
        cdef double[::1] ys = y, errs = err
        cdef ptrdiff_t n = index.shape[0]
        cdef int level = gnosis_engine_level(_cpu.level())
        _cpu.check_environment()
        if n:
            with nogil:
                gnosis_engine_head_rows(self.kind, &r[0, 0], self.columns, &v[0], &at[0], n, &ys[0], &errs[0], level)
        return y, err


def vector_bytes(n) -> int:
    """Bytes of a vector in the engine."""
    return gnosis_engine_vector_bytes(whole("n", n, 1, _MOST))


def _kind(encoding):
    if encoding not in _blocks.ENCODINGS:
        raise RangeError("encoding", encoding, f"not one of {', '.join(_blocks.ENCODINGS)}")
    return _blocks.ENCODINGS.index(encoding)
