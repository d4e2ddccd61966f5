// Lets the clock of this process be ahead by SKEWED_MS: imported before anything else, see skewed-clock.ts.
const aheadMs = Number(process.env.SKEWED_MS);
const RealDate = Date;

globalThis.Date = class SkewedDate extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + aheadMs] : given));
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};
