/** Probability of exactly `successes` in `trials` at a success rate, by plain products: good for small trials. */
export function binomialProbability(successes: number, trials: number, rate: number): number {
  let ways = 1;
  for (let i = 1; i <= successes; i++) ways = ways * (trials - successes + i) / i;
  return ways * rate ** successes * (1 - rate) ** (trials - successes);
}
