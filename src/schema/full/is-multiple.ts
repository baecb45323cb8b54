/**
 * Whether a number is a multiple of another, as they are written in decimal: 19.99 is one of 0.01, although the quotient of
 * the two floating-point numbers is 1998.9999999999998. `step` is above 0.
 */
export function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [one, other] = [decimalFrom(value), decimalFrom(step)];
  const exponent = Math.min(one.exponent, other.exponent);
  return scaled(one, exponent) % scaled(other, exponent) === 0n;
}

/** `digits` × 10^`exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest text that reads as this number again, which is what was written in JSON. */
function decimalFrom(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** No more than some 650 digits: that is how far apart two numbers can be. */
const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to);
