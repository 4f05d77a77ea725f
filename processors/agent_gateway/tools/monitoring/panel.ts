/** A panel of the dashboard, without what all panels share. */
export interface Panel {
  readonly title: string
  readonly description?: string
  readonly kind?: 'timeseries' | 'stat'
  /** Grafana's name of the unit. */
  readonly unit: string
  readonly source?: 'prometheus' | 'loki'
  readonly queries: readonly PanelQuery[]
  /** Columns of 24; default 8. */
  readonly width?: number
}

export interface PanelQuery {
  readonly expr: string
  readonly legend: string
}

/** Panels under one heading. */
export interface PanelRow {
  readonly title: string
  readonly panels: readonly Panel[]
}
