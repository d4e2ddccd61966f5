/**
 * What pages do beyond HTML: they follow what happens, filter, stream logs, and take keys. Everything can be read and done
 * without it. It has no library: a page is fetched as a browser would load it, and what differs is put in.
 */
export const CONSOLE_SCRIPT = `'use strict';
(() => {
const policy = window.trustedTypes ? trustedTypes.createPolicy('signalbox', { createHTML: (text) => text }) : { createHTML: (text) => text };
const byId = (id) => document.getElementById(id);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const parse = (text) => new DOMParser().parseFromString(policy.createHTML(text), 'text/html');

/* What a person has changed on the page is kept: open folds, typed text, focus. */
const keyOf = (node) => node.nodeType === 1 ? node.id || node.dataset.key : undefined;
function morph(from, to) {
  if (from.isEqualNode(to)) return;
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName || keyOf(from) !== keyOf(to)) return void from.replaceWith(to);
  if (from.nodeType !== 1) { if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue; return; }
  if (from.dataset.kept !== undefined) return;
  for (const { name, value } of [...to.attributes]) if (!isOwn(from, name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !isOwn(from, name)) from.removeAttribute(name);
  morphChildren(from, to);
}
const isOwn = (node, name) => (name === 'open' && node.localName === 'details') || (name === 'hidden' && (node.localName === 'form' || node.localName === 'tr')) || (name === 'class' && node.classList.contains('is-chosen'));
function morphChildren(from, to) {
  const keyed = new Map([...from.children].filter(keyOf).map((node) => [keyOf(node), node]));
  let here = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const key = keyOf(wanted);
    const known = key && keyed.get(key);
    if (known && known !== here) from.insertBefore(known, here);
    const present = known || (here && !keyOf(here) && !key ? here : undefined);
    if (!present) { from.insertBefore(wanted, here); continue; }
    here = present.nextSibling;
    morph(present, wanted);
  }
  while (here) { const next = here.nextSibling; here.remove(); here = next; }
}

/* What happens is streamed; after each word of it the page is fetched again, at most once a second. */
const now = byId('now');
const state = (is, text) => { if (now && (now.dataset.is !== is || text)) { now.dataset.is = is; now.textContent = text ?? { live: 'live', away: 'connecting again\\u2026', still: '' }[is]; } };
let fetching = false, wanted = false, last = 0, timer;
function refresh() {
  if (fetching) { wanted = true; return; }
  const pause = Math.max(0, last + 1000 - Date.now());
  clearTimeout(timer);
  timer = setTimeout(load, Math.max(pause, 120));
}
async function load() {
  fetching = true; wanted = false; last = Date.now();
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (answer.status === 401 || answer.status === 403 || answer.status === 404) { stop(); location.reload(); return; }
    const page = parse(await answer.text());
    for (const place of ['live', 'told-by-server']) { const [from, to] = [byId(place), page.getElementById(place)]; if (from && to) morph(from, to); }
    if (page.title) document.title = page.title;
    ready();
  } catch { state('away'); }
  fetching = false;
  if (wanted) refresh();
}

let source, after = document.body.dataset.after ?? '', tries = 0;
const stream = document.body.dataset.stream;
function start() {
  if (!stream || source) return;
  const url = new URL(stream, location.href);
  if (after) url.searchParams.set('after', after);
  source = new EventSource(url);
  source.onopen = () => { tries = 0; state('live'); };
  source.onerror = () => {
    state('away');
    if (source && source.readyState === EventSource.CLOSED) { stop(); setTimeout(start, Math.min(30000, 1000 * 2 ** tries++) * (0.5 + Math.random())); }
  };
  source.addEventListener('entry', (event) => { after = event.lastEventId; say(JSON.parse(event.data).message); refresh(); });
  source.addEventListener('changed', (event) => { after = event.lastEventId; refresh(); });
  source.addEventListener('away', (event) => state('away', JSON.parse(event.data).message));
  source.addEventListener('back', () => state('live'));
  source.addEventListener('over', () => { stop(); state('still', 'it has ended'); refresh(); });
  source.addEventListener('reload', () => { stop(); location.reload(); });
  source.addEventListener('line', (event) => line(JSON.parse(event.data), event.lastEventId));
}
function stop() { if (source) source.close(); source = undefined; }
/* A browser opens few connections to a server: a page that nobody sees needs none. */
document.addEventListener('visibilitychange', () => { if (document.hidden) stop(); else { start(); if (stream && byId('live')) refresh(); } });
function say(text) { const said = byId('said'); if (said && text) said.textContent = text; }

/* Tables are filtered by words. */
function ready() {
  for (const form of all('form.filter')) form.hidden = false;
  for (const field of all('form.filter input')) if (field.value) filter(field);
}
function filter(field) {
  const form = field.closest('form');
  const table = byId(form.dataset.of);
  const rows = [...table.tBodies[0].rows];
  const words = field.value.toLowerCase().split(' ').filter(Boolean);
  let shown = 0;
  for (const row of rows) { const text = row.textContent.toLowerCase(); row.hidden = !words.every((word) => text.includes(word)); if (!row.hidden) shown++; }
  form.querySelector('output').textContent = words.length ? shown + ' of ' + rows.length + ' rows' : '';
}
document.addEventListener('input', (event) => { if (event.target.closest('form.filter')) filter(event.target); });
document.addEventListener('submit', (event) => { if (event.target.matches('form.filter')) event.preventDefault(); });

/* Logs: lines are text, whatever they hold. */
const lines = byId('lines');
const MOST = 50000;
const isAtEnd = () => lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
function line({ pod, text, gap }, id) {
  if (id) after = id;
  const wasAtEnd = isAtEnd();
  const row = document.createElement('div');
  row.textContent = gap ? '\\u2026 ' + gap : text;
  if (gap) row.className = 'muted';
  else if (lines.dataset.pods) row.prepend(Object.assign(document.createElement('span'), { className: 'muted', textContent: pod + ' ' }));
  row.hidden = !fits(row);
  lines.append(row);
  if (lines.childElementCount > MOST) lines.firstElementChild.remove();
  if (wasAtEnd) lines.scrollTop = lines.scrollHeight;
}
const search = byId('search');
const fits = (row) => !search || row.textContent.toLowerCase().includes(search.value.toLowerCase());
if (lines) {
  lines.scrollTop = lines.scrollHeight;
  if (search) { search.closest('label').hidden = false; search.addEventListener('input', () => { for (const row of lines.children) row.hidden = !fits(row); }); }
}

/* A manifest is checked as it is typed, by the server. */
const manifest = byId('manifest');
if (manifest) {
  let check;
  manifest.addEventListener('input', () => { clearTimeout(check); check = setTimeout(checkManifest, 700); });
  for (const name of ['dragover', 'drop']) manifest.addEventListener(name, (event) => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); });
  manifest.addEventListener('drop', async (event) => { const [file] = event.dataTransfer.files; if (file && file.size < 4e6) { manifest.value = await file.text(); checkManifest(); } });
  async function checkManifest() {
    const body = new URLSearchParams(new FormData(manifest.form));
    body.set('do', 'check');
    const answer = await fetch(manifest.form.action, { method: 'POST', body });
    const found = parse(await answer.text()).getElementById('checked');
    if (found) morph(byId('checked'), found);
  }
}

/* Keys. Single letters can be switched off (WCAG 2.1.4). */
const help = byId('keys');
const isOff = () => { try { return localStorage.getItem('signalbox-keys') === 'off'; } catch { return false; } };
const toggle = byId('keys-on');
if (toggle) { toggle.checked = !isOff(); toggle.addEventListener('change', () => { try { localStorage.setItem('signalbox-keys', toggle.checked ? 'on' : 'off'); } catch {} }); }
let chosen = -1;
function choose(step) {
  const rows = all('.jobs tbody tr');
  if (!rows.length) return;
  chosen = Math.min(rows.length - 1, Math.max(0, chosen + step));
  for (const row of all('.jobs tr.is-chosen')) row.classList.remove('is-chosen');
  rows[chosen].classList.add('is-chosen');
  rows[chosen].querySelector('a').focus();
}
const KEYS = {
  j: () => choose(1), k: () => choose(-1),
  '/': () => (search ?? document.querySelector('.filters input, form.filter:not([hidden]) input'))?.focus(),
  '?': () => { if (help) help.open ? help.close() : help.showModal(); },
  g: () => { location.href = '/'; },
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isOff() && event.key !== '?') return;
  if (/^(input|textarea|select)$/i.test(event.target.localName)) { if (event.key === 'Escape') event.target.blur(); return; }
  const act = KEYS[event.key];
  if (act) { event.preventDefault(); act(); }
});

ready();
start();
})();
`;
