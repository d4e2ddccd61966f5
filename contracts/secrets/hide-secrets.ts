import { isFields } from '../../language/fields.ts';
import { LAST_APPLIED } from '../last-applied.ts';
import { HIDDEN, hideInText, isNoSecret } from './hide-in-text.ts';
import { isSecretName } from './secret-name.ts';

/**
 * Hides what looks like a secret in a document, e.g. a manifest: values of variables, arguments and annotations by their
 * name, and all texts by what they look like. Wherever a document is shown or exported, this decides what is hidden.
 */
export function hideSecrets<Document>(document: Document): Document;
export function hideSecrets(document: unknown): unknown {
  if (typeof document === 'string') return hideInText(document);
  if (Array.isArray(document)) return document.map((item, index) => hideItem(item, document[index - 1]));
  if (!isFields(document)) return document;
  const isVariable = 'value' in document && isSecretName(String(document.name));
  return Object.fromEntries(
    Object.entries(document).map(([field, value]) => [
      field,
      isVariable && field === 'value' ? hideValue(value) : hideField(field, value),
    ]),
  );
}

/** Whether a document has anything that would be hidden. */
export const hasSecrets = (document: unknown): boolean =>
  JSON.stringify(hideSecrets(document)) !== JSON.stringify(document);

/** The value of an argument may be the next one: `--token`, `abc`. */
function hideItem(item: unknown, before: unknown): unknown {
  if (typeof item !== 'string' || typeof before !== 'string') return hideSecrets(item);
  const isValue = FLAG.test(before) && !item.startsWith('-') && isSecretName(before);
  return isValue ? hideValue(item) : hideInText(item);
}

/** In arguments `--key` alone is no name: programs sort by keys. */
const FLAG = /^(?!-+key$)--?[\w.-]+$/;

/** Fields whose keys users choose; those of Kubernetes, e.g. `secretName`, name secrets and have none. */
const KEYS_OF_USERS: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'env',
  'options',
  'volumeAttributes',
]);

function hideField(field: string, value: unknown): unknown {
  if (!KEYS_OF_USERS.has(field) || !isFields(value)) return hideSecrets(value);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== LAST_APPLIED)
      .map(([key, inner]) => [key, isSecretName(key) ? hideValue(inner) : hideSecrets(inner)]),
  );
}

/** A reference to a Secret is none. */
const hideValue = (value: unknown): unknown => {
  if (typeof value === 'string') return isNoSecret(value) ? value : HIDDEN;
  return typeof value === 'number' ? HIDDEN : hideSecrets(value);
};
