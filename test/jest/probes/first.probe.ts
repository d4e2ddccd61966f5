import { it } from '@jest/globals';
import { leaveTraces } from './shared.ts';

const number = await leaveTraces();

it(`is file ${number} of those that share a module`, () => undefined);
