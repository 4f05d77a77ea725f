import { METRICS, type MetricName } from './metrics.ts'
import { prometheusName } from './prometheus-name.ts'

/** What stands for the parts of expressions that differ between a dashboard and rules. */
export interface Naming {
  /** Before names of metrics. */
  readonly metric: string
  /** Before names of labels that come from the gateway's attributes. */
  readonly label: string
  /** Matchers that every selector has. */
  readonly matchers: readonly string[]
  /** The range of rates. */
  readonly window: string
}

/** What to take of a metric, with labels of the gateway in angle brackets: `<outcome>!=""`. */
export interface Taken {
  readonly by?: readonly string[]
  readonly where?: readonly string[]
  readonly window?: string
}

/** Builds expressions about the gateway's metrics. */
export class Promql {
  readonly #naming: Naming

  constructor(naming: Naming) {
    this.#naming = naming
  }

  /** What happened in a second: the sum of rates. */
  rate(metric: MetricName, taken: Taken = {}): string {
    return `sum${this.#by(taken)}(rate(${this.#series(metric, METRICS[metric].kind === 'histogram' ? '_count' : '', taken)}))`
  }

  /** What happened in the window. */
  increase(metric: MetricName, taken: Taken = {}): string {
    return `sum${this.#by(taken)}(increase(${this.#series(metric, METRICS[metric].kind === 'histogram' ? '_count' : '', taken)}))`
  }

  /** A quantile of a histogram. */
  quantile(quantile: number, metric: MetricName, taken: Taken = {}): string {
    const by = this.#by({ by: ['le', ...(taken.by ?? [])] })
    return `histogram_quantile(${quantile}, sum${by}(rate(${this.#series(metric, '_bucket', taken)})))`
  }

  /** The mean of what a histogram recorded. */
  mean(metric: MetricName, taken: Taken = {}): string {
    const of = (suffix: string) => `sum${this.#by(taken)}(rate(${this.#series(metric, suffix, taken)}))`
    return `${of('_sum')} / ${of('_count')}`
  }

  /** The sum of counters as they stand, since the gateway started: rare events show, the first one too. */
  total(metric: MetricName, taken: Taken = {}): string {
    return `sum${this.#by(taken)}(${this.#series(metric, '', taken, '')})`
  }

  /**
   * What happened in the window, if anything did. A counter that was not there before has no increase in Prometheus,
   * so its value counts then.
   */
  happened(metric: MetricName, taken: Taken = {}): string {
    const { window } = this.#naming
    const series = this.#series(metric, '', taken, '')
    const first = `sum${this.#by(taken)}(${series} unless ${series} offset ${window})`
    return `${this.increase(metric, taken)} > 0 or ${first} > 0`
  }

  /** Any of several counters. */
  anyOf(metrics: readonly MetricName[]): string {
    const names = metrics.map(metric => prometheusName(metric, METRICS[metric]))
    return `{__name__=~"${this.#naming.metric}(${names.join('|')})"}`
  }

  /** The label of the gateway's attribute. */
  label(name: string): string {
    return `${this.#naming.label}${name.replaceAll('.', '_')}`
  }

  #series(
    metric: MetricName,
    suffix: string,
    taken: Taken,
    range = `[${taken.window ?? this.#naming.window}]`,
  ): string {
    const { where = [] } = taken
    const matchers = [
      ...this.#naming.matchers,
      ...where.map(each => each.replace(/<([^>]+)>/g, (_, name) => this.label(name))),
    ]
    const selector = matchers.length === 0 ? '' : `{${matchers.join(',')}}`
    return `${this.#naming.metric}${prometheusName(metric, METRICS[metric])}${suffix}${selector}${range}`
  }

  #by({ by = [] }: Taken): string {
    return by.length === 0 ? '' : ` by (${by.map(name => (name === 'le' ? name : this.label(name))).join(', ')}) `
  }
}
