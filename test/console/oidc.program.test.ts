import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OidcSettings } from '../../contracts/settings.ts';
import { freePort } from '../../worker/free-port.ts';
import { Browser } from './browser.ts';
import { RUNNING } from './jobs.ts';
import { type OpenedConsole, openConsole } from './opened-console.ts';
import { TestProvider } from './provider.ts';

/** Sign-in at a real OpenID provider. What people may is for the cluster to say, which is not there: signed in, they get 503. */

let folder: string;
let port: number;
let url: string;
let provider: TestProvider;
let running: OpenedConsole;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-oidc-'));
  await writeFile(join(folder, 'secret'), 'a secret of the test\n');
  await writeFile(join(folder, 'key'), 'x'.repeat(40));
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  provider = await TestProvider.start(`${url}/sign-in/callback`);
  running = await open();
});
afterAll(async () => {
  await running?.stop();
  await provider?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Choice extends Partial<OidcSettings> {
  readonly port?: number;
  readonly url?: string;
}

const open = ({ port: at = port, url: shown = url, ...oidc }: Choice = {}): Promise<OpenedConsole> =>
  openConsole([RUNNING], {
    ...{ identity: 'oidc', port: at, url: shown, sessionKeyFile: join(folder, 'key') },
    oidc: {
      ...{ issuer: provider.issuer, clientId: 'console', secretFile: join(folder, 'secret') },
      ...{ scopes: 'openid email groups', userClaim: 'email', groupsClaim: 'groups' },
      ...{ allowedGroups: [], sessionMs: 3_600_000, ...oidc },
    },
  });

/** As a person does, from the page that asks who it is to the one that was wanted. */
async function signIn(name: string, to = '/jobs/ml/train', browser = new Browser()) {
  const asked = await browser.open(url + to);
  expect(asked.status).toBe(401);
  const [, link] = /href="(\/sign-in\/start[^"]+)"/.exec(asked.text)!;
  const login = await browser.open(url + link!);
  if (!login.text.includes('name="login"')) return { browser, page: login };
  const consent = await browser.send(login, { login: name, password: 'any' });
  return { browser, page: await browser.send(consent, {}) };
}

describe('who signs in at the provider', () => {
  it('comes back to the page that was wanted, with a name, in a cookie that no script and no other site has', async () => {
    const { browser, page } = await signIn('ana');
    expect(page.url).toBe(`${url}/jobs/ml/train`);
    expect(page.text).toContain('ana@example.com');
    const cookie = browser.given.find((one) => one.startsWith('signalbox-session='))!;
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/);
    expect(Buffer.from(cookie.split(/[=;]/)[1]!, 'base64url').toString()).not.toContain('ana');
  });

  it('has cookies of this very host alone where the console has https', async () => {
    const secure = await open({ port: 0, url: 'https://console.example' });
    const asked = await fetch(`${secure.address}/sign-in/start?to=/`, { redirect: 'manual' });
    await secure.stop();
    expect(asked.headers.get('set-cookie')).toMatch(
      /^__Host-signalbox-sign-in=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    );
  });

  it('stays signed in over a restart of the console, and not with another key', async () => {
    const { browser } = await signIn('ana');
    await running.stop();
    running = await open();
    expect((await browser.open(`${url}/jobs/ml/train`)).text).toContain('ana@example.com');
    await running.stop();
    await writeFile(join(folder, 'key'), 'y'.repeat(40));
    running = await open();
    expect((await browser.open(url)).status).toBe(401);
  });

  it('is signed out for good, also for who has copied the cookie', async () => {
    const { browser, page } = await signIn('ana');
    const stolen = browser.stolen();
    expect(page.text).toContain('action="/sign-out"');
    expect((await browser.send(page, {})).status).toBe(401);
    expect((await stolen.open(url)).status).toBe(401);
  });

  it('is asked again when the time is over', async () => {
    await running.stop();
    running = await open({ sessionMs: 1 });
    const { page } = await signIn('ana');
    expect(page.status).toBe(401);
    await running.stop();
    running = await open();
  });
});

describe('a sign-in is refused', () => {
  it.each([
    ['nameless', 502, 'expected a claim email, got'],
    ['unverified', 403, 'has not verified that ana@example.com is yours'],
    ['root', 403, 'cannot name system:admin'],
    ['many', 403, 'has 300 groups, more than a browser keeps'],
  ])('of %s, with the reason', async (name, status, words) => {
    const { page } = await signIn(name);
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
  });

  it('of who is in none of the groups', async () => {
    await running.stop();
    running = await open({ allowedGroups: ['vision'] });
    expect((await signIn('bea')).page.text).toContain('bea@example.com is in none of the groups');
    expect((await signIn('ana')).page.text).toContain('ana@example.com');
    await running.stop();
    running = await open();
  });

  it('that began in another browser', async () => {
    const { page } = await signIn('ana', '/');
    const other = await new Browser().open(`${url}/sign-in/callback?code=a&state=b`);
    expect(page.status).not.toBe(400);
    expect(other.status).toBe(400);
    expect(other.text).toContain('began in another browser');
  });

  it('to a page of another site', async () => {
    const browser = new Browser();
    const login = await browser.open(`${url}/sign-in/start?to=${encodeURIComponent('//evil.example/')}`);
    const consent = await browser.send(login, { login: 'ana', password: 'any' });
    expect((await browser.send(consent, {})).url).toBe(`${url}/`);
  });

  it('whose answer is of another time, by the clocks', async () => {
    const late = await TestProvider.start(`${url}/sign-in/callback`, { clockMs: -7_200_000 });
    await running.stop();
    running = await open({ issuer: late.issuer });
    const { page } = await signIn('ana');
    expect(page.text).toContain('is not valid at this time');
    expect(page.text).toContain('clocks');
    await late.stop();
    await running.stop();
    running = await open();
  });
});

it('while the provider is away nobody can sign in; who has is still known, and it is found when it is back', async () => {
  const { browser } = await signIn('ana');
  const { issuer } = provider;
  await provider.stop();
  await running.stop();
  running = await open({ issuer });
  const refused = await new Browser().open(`${url}/sign-in/start?to=/`);
  expect(refused.status).toBe(503);
  expect(refused.text).toContain(`The provider ${issuer} does not answer`);
  expect((await browser.open(`${url}/jobs/ml/train`)).text).toContain('ana@example.com');
  provider = await TestProvider.start(`${url}/sign-in/callback`, { port: Number(new URL(issuer).port) });
  expect((await signIn('bea')).page.text).toContain('bea@example.com');
});

describe('settings are refused', () => {
  it.each([
    [
      'without a provider',
      { oidc: undefined },
      'expected SIGNALBOX_CONSOLE_URL, SIGNALBOX_CONSOLE_OIDC_ISSUER',
    ],
    ['without the address in browsers', { url: undefined }, 'expected SIGNALBOX_CONSOLE_URL'],
    ['with a key that can be guessed', { sessionKeyFile: 'secret' }, 'expected at least 32 characters'],
    [
      'with a key that is not there',
      { sessionKeyFile: 'none' },
      'SIGNALBOX_CONSOLE_SESSION_KEY_FILE: expected a file',
    ],
  ])('%s', async (_, change, words) => {
    const oidc: OidcSettings = {
      ...{ issuer: provider.issuer, clientId: 'console', scopes: 'openid', userClaim: 'email' },
      ...{ groupsClaim: 'groups', allowedGroups: [], sessionMs: 1_000 },
    };
    const file = 'sessionKeyFile' in change ? { sessionKeyFile: join(folder, change.sessionKeyFile) } : {};
    await expect(openConsole([], { identity: 'oidc', url, oidc, ...change, ...file })).rejects.toThrow(words);
  });

  it('a provider by http, which others could be', async () => {
    const { oidc } = { oidc: { issuer: 'http://idp.example' } };
    await expect(open(oidc)).rejects.toThrow('expected an https address, got http://idp.example');
  });
});
