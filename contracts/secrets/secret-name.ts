/**
 * Whether what a variable, an argument or a field of this name holds is probably a secret. Names are read as words:
 * `WANDB_API_KEY`, `wandbApiKey` and `--wandb-api-key` are the same, and a `TOKENIZER` is no token.
 */
export function isSecretName(name: string): boolean {
  const words = wordsOfName(name);
  const last = words.at(-1);
  if (last === undefined || ABOUT_A_SECRET.has(last)) return false;
  if (words.some((word, index) => isAlwaysSecret(word, words[index - 1]))) return true;
  const named = words.findLastIndex((word) => !SUFFIXES.has(word));
  return isSecretAtEnd(words[named] ?? '', words[named - 1]);
}

const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);

const isAlwaysSecret = (word: string, before: string | undefined): boolean =>
  /^(?:secrets?|credentials?|creds?|o?auth|authorization|pwd)$/.test(word) ||
  /(?:secret|pass(?:w(?:or)?d|phrase|code))s?$/.test(word) ||
  isPass(word, before);

/** `DB_PASS` and `PGPASS`, but neither `BYPASS` nor `forward_pass`. */
function isPass(word: string, before = ''): boolean {
  if (!word.endsWith('pass')) return false;
  return !OTHER_PASSES.has(word === 'pass' ? before : word.slice(0, -'pass'.length));
}

const isSecretAtEnd = (word: string, before = ''): boolean =>
  (word === 'key' && !OTHER_KEYS.has(before)) ||
  (word.endsWith('token') && !OTHER_TOKENS.has(before)) ||
  /(?:access|account|api|auth|client|deploy|encryption|license|master|private|server|service|signing|ssh|storage)key$/.test(
    word,
  );

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Last words of names that say where or how a secret is, e.g. `TOKEN_FILE`. */
const ABOUT_A_SECRET = setOf(
  'backend class count dir domain enabled endpoint env expiry file files host issuer length method mode module name names namespace path plugin policy port provider realm ref region required scheme scope scopes sock socket store timeout ttl type uri url user username version',
);
/** May follow the word that counts, e.g. `AWS_ACCESS_KEY_ID`, `HF_TOKEN_READ`. */
const SUFFIXES = setOf('dev id prod read ro rw staging string test value write');
/** Before `pass`: filters, passes of a program, words of their own. */
const OTHER_PASSES = setOf(
  'all backward band by com encom first forward high low multi num one over second single sur tres two under',
);
/** Before `key`: keys of data sets, caches and tables. */
const OTHER_KEYS = setOf(
  'answer audio cache caption column data dataset dict feature foreign group hash image index input join label lookup message metric output partition primary prompt public question record response reward routing score shard sort state target text video',
);
/** Before `token`: tokens of a vocabulary. */
const OTHER_TOKENS = setOf(
  'added audio bos cls each end eos every first image last mask new next pad per prefix sep single special start stop suffix unk video',
);
