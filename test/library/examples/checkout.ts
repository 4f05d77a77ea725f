/** The application that the suite beside it tests: it tells about each order by a log record. */
export async function checkOut(
  order: { readonly id: string; readonly card: string; readonly total: number },
  tell: (text: string, attributes: Record<string, string | number>) => Promise<void>,
): Promise<void> {
  await tell('order placed', { 'order.id': order.id, 'order.total': order.total, 'card.number': order.card })
}
