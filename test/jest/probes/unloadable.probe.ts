import { it } from '@jest/globals';

it('is never run', () => undefined);

throw new Error('this file cannot be loaded');
