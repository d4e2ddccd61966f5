/** How many times as much as usual property tests try: `SIGNALBOX_TIMES=20 npm run test:unit -- test/record/log`. */
export const TIMES = Number(process.env.SIGNALBOX_TIMES ?? 1);
