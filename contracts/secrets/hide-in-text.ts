import { isSecretName } from './secret-name.ts';

/** Stands where a secret was. */
export const HIDDEN = '(hidden)';

/** Hides private keys alone: what repeats a command line has words like `KEY=VALUE` of its own. */
export const hidePrivateKeys = (text: string): string => PRIVATE_KEY(text);

/**
 * Hides what looks like a secret in a text of any kind: a message, a line of a log, an argument, a script. All else stays
 * as it is. docs/security.md#what-is-hidden lists what is found.
 */
export function hideInText(text: string): string {
  if (!MAY_HAVE_ONE.test(text)) return text;
  return RULES.reduce((hidden, rule) => rule(hidden), text);
}

/** Whether a value is no secret whatever its name: a switch, a place for one, or the name of a variable that has it. */
export const isNoSecret = (value: string): boolean =>
  /^(?:\W*|[01]|true|false|yes|no|on|off|none|null|\(hidden\))$/i.test(value) ||
  /^\$(?:[A-Za-z_]|[({])/.test(value);

/** Each rule needs one of these; most texts have none. */
const MAY_HAVE_ONE =
  /=|:\/\/|--|["']\s*:|bearer|authorization|hf_|gh[opsur]_|_pat_|npm_|sk-|glpat-|xox|nvapi-|AKIA|ASIA|AIza|ya29|eyJ/i;

type Rule = (text: string) => string;

const hideAll =
  (pattern: RegExp): Rule =>
  (text) =>
    text.replaceAll(pattern, HIDDEN);

/** Hides what follows the first group. */
const hideAfter =
  (pattern: RegExp): Rule =>
  (text) =>
    text.replaceAll(pattern, (_, before: string) => `${before}${HIDDEN}`);

const PRIVATE_KEY = hideAll(
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|$)/g,
);

/** `scheme://user:password@host` */
const URL_PASSWORD: Rule = (text) =>
  text.replaceAll(
    /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s:/?#@"'`]{0,200}:)([^\s/"'`]{1,500})@/gi,
    (all, before: string, password: string) => (isNoSecret(password) ? all : `${before}${HIDDEN}@`),
  );

const HEADER = hideAfter(
  /(\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:apikey|basic|bearer|digest|token)\s+)(?!\$)[^\s"'\\]+/gi,
);
const BEARER = hideAfter(/(\bbearer\s+)(?=[^\s"']{0,500}\d)[\w.~+/=-]{12,}/gi);
/** In addresses that a cloud's store signed. */
const SIGNATURE = hideAfter(/([?&](?:sig|x-amz-signature|x-goog-signature)=)[^\s&"']+/gi);

/** Tokens that say whose they are: Hugging Face, GitHub, GitLab, AWS, OpenAI and others, Slack, Google, NVIDIA, npm, Docker. */
const KNOWN_TOKEN = hideAll(
  new RegExp(
    [
      'hf_[A-Za-z0-9]{16,}',
      'gh[opsur]_[A-Za-z0-9]{16,}',
      'github_pat_\\w{20,}',
      'glpat-[\\w-]{16,}',
      '(?:AKIA|ASIA)[A-Z0-9]{12,}',
      'sk-(?=[\\w-]{0,300}\\d)[\\w-]{16,}',
      'xox[abeoprs]-[\\w-]{10,}',
      'AIza[\\w-]{30,}',
      'ya29\\.[\\w-]{20,}',
      'nvapi-[\\w-]{16,}',
      'npm_[A-Za-z0-9]{30,}',
      'dckr_pat_[\\w-]{16,}',
      'eyJ[\\w-]{8,}\\.eyJ[\\w-]+\\.[\\w-]*',
    ]
      .map((token) => `\\b${token}`)
      .join('|'),
    'g',
  ),
);

const VALUE = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'`;&|]+/.source;

/** `NAME=value`, `--name=value`, `--name value`. In a text `key` alone is no name: programs sort by keys. */
const hideNamed =
  (pattern: RegExp): Rule =>
  (text) =>
    text.replaceAll(pattern, (all, name: string, between: string, value: string) =>
      isSecretName(name) && !isPlainKey(name) && !isNoSecret(unquoted(value))
        ? `${name}${between}${quotedLike(value)}`
        : all,
    );

const ASSIGNMENT = hideNamed(new RegExp(`(?<![\\w.-])([\\w.-]{1,100})(=)(?!=)(${VALUE})`, 'g'));
const FLAG = hideNamed(new RegExp(`(?<![\\w.-])(--[\\w.-]{1,100})([ \\t]+)(?!-)(${VALUE})`, 'g'));

/** `"name": "value"`, also within a text in quotes. */
const FIELD: Rule = (text) =>
  text.replaceAll(
    /((\\?["'])([\w.-]{1,100})\2\s*:\s*(\\?["']))(.*?)(?=\4)/g,
    (all, before: string, _, name: string, _quote, value: string) =>
      isSecretName(name) && !isPlainKey(name) && !isNoSecret(value) ? `${before}${HIDDEN}` : all,
  );

/** `{"name": "NAME", "value": "value"}`, as variables of containers are. */
const VARIABLE: Rule = (text) =>
  text.replaceAll(
    /((\\?")name\2\s*:\s*\2([\w.-]{1,100})\2\s*,\s*\2value\2\s*:\s*\2)(.*?)(?=\2)/g,
    (all, before: string, _, name: string, value: string) =>
      isSecretName(name) && !isNoSecret(value) ? `${before}${HIDDEN}` : all,
  );

const isPlainKey = (name: string) => /^-*key$/.test(name);

const unquoted = (value: string) => value.replaceAll(/^["']|["']$/g, '');

const quotedLike = (value: string) =>
  value.startsWith('"') || value.startsWith("'") ? `${value[0]}${HIDDEN}${value[0]}` : HIDDEN;

const RULES: readonly Rule[] = [
  ...[PRIVATE_KEY, URL_PASSWORD, HEADER, BEARER, SIGNATURE, KNOWN_TOKEN],
  ...[VARIABLE, FIELD, ASSIGNMENT, FLAG],
];
