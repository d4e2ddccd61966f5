import { createHash } from 'node:crypto';
import type { WebAnswer } from '../http/answer.ts';
import { CONSOLE_SCRIPT } from './script.ts';
import { CONSOLE_STYLE } from './style.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Addresses change with the content: browsers keep each for good. */
export const ASSETS = {
  script: `/assets/console-${hashOf(CONSOLE_SCRIPT)}.js`,
  style: `/assets/console-${hashOf(CONSOLE_STYLE)}.css`,
} as const;

const KEPT = { 'cache-control': 'public, max-age=31536000, immutable' };

const ANSWERS: ReadonlyMap<string, WebAnswer> = new Map([
  [
    ASSETS.script,
    { status: 200, type: 'text/javascript; charset=utf-8', body: CONSOLE_SCRIPT, headers: KEPT },
  ],
  [ASSETS.style, { status: 200, type: 'text/css; charset=utf-8', body: CONSOLE_STYLE, headers: KEPT }],
]);

export const assetAt = (path: string): WebAnswer | undefined => ANSWERS.get(path);
