/**
 * How many times as much as by day random tests try: `SIGNALBOX_TIMES=20 npm run test:unit -- test/record/log`. Each of them
 * says what it tries once; the long tests set how many times that is by night.
 */
export const TIMES = Number(process.env.SIGNALBOX_TIMES ?? 1);
