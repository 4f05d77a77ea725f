export const MARK: string = '***'
