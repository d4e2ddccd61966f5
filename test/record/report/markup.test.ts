import { expect, it, test } from '@jest/globals';
import { html, trusted, withoutColours } from '../../../record/report/page/markup.ts';

test.each([
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['</script></style></title>', '&lt;/script&gt;&lt;/style&gt;&lt;/title&gt;'],
  ['" onmouseover="x', '&quot; onmouseover=&quot;x'],
  ["' onload='x", '&#39; onload=&#39;x'],
  ['&amp;', '&amp;amp;'],
  ['a\u0000b\u0007\u001b[2J', 'a^@b^G^[[2J'],
  ['pod\u202Egnp.exe', 'pod&lt;U+202E&gt;gnp.exe'],
  ['a\u2066b\u200Fc\uFEFF', 'a&lt;U+2066&gt;b&lt;U+200F&gt;c&lt;U+FEFF&gt;'],
  ['half \uD800 pair', 'half &lt;U+D800&gt; pair'],
  ['line\r\nline\ttab\rback', 'line\nline\ttab^Mback'],
  ['数据 données 😀', '数据 données 😀'],
])('%j is shown as %j', (given, shown) => {
  expect(html`<td title="${given}">${given}</td>`.text).toBe(`<td title="${shown}">${shown}</td>`);
});

it('markup of a template stays markup, in lists as well', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}`);
  expect(html`<ul>${items}${trusted('<hr>')}</ul>`.text).toBe('<ul><li>a<li>&lt;b&gt;<hr></ul>');
});

it('an absent value becomes nothing, and zero becomes zero', () => {
  expect(html`${undefined}${false}${null}${0}`.text).toBe('0');
});

it('terminal colours are removed from log lines', () => {
  expect(withoutColours('\u001b[31mTraceback\u001b[0m')).toBe('Traceback');
});
