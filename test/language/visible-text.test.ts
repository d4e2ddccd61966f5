import { expect, test } from '@jest/globals';
import { escapedInJson, visible } from '../../language/visible-text.ts';

test.each([
  ['\u001b]0;pwn\u0007', '^[]0;pwn^G'],
  ['\u001b[2J\u001b[31mred', '^[[2J^[[31mred'],
  ['a\u0000b\u007fc', 'a^@b^?c'],
  ['50 %\r60 %', '50 %^M60 %'],
  ['\u009b31m', '<U+009B>31m'],
  ['\u202egnp.exe', '<U+202E>gnp.exe'],
  ['a\u200bb\ufeff', 'a<U+200B>b<U+FEFF>'],
  ['\ud83d', '<U+D83D>'],
  ['a\u2028b', 'a<U+2028>b'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('tabs, line ends and letters of all languages stay unchanged', () => {
  expect(visible('a\tb\r\nc\nä 日本 🙂')).toBe('a\tb\nc\nä 日本 🙂');
});

test('control characters that JSON leaves are escaped, and the document stays the same', () => {
  const value = { text: 'a\u009b31m\u202e\u007f\u001b\u{e0041}' };
  const escaped = escapedInJson(JSON.stringify(value, null, 2));
  expect(escaped).toMatch(/^[\x20-\x7e\n]+$/);
  expect(JSON.parse(escaped)).toEqual(value);
});
