/** Commonest words of languages in Latin letters. */
const COMMON = {
  en: 'the of and to in is that it for was on are as with his they at be this have from or had by not but what all were when we there can an your which their said if will each about how up out them then she many some so these would other into has more two like him see time could no make than been its now my over did who may after our where you i a do one just most also',
  de: 'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn können ich wir ihr kann wie diese dieser',
  fr: 'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont la avec son mais comme ou si leur y dont aux cette ces ont été elle on nous vous être fait aussi je peut tout sans même',
  es: 'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué solo yo hay vez puede',
  pt: 'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos são você',
  it: 'di e il la che in un a per è una sono con non si da come le i dei del della lo ma al più nel alla anche ha gli se delle questo ci o su essere mi cosa ho nella io hanno perché era tutto quando così può',
  nl: 'de van een het en in is dat op te zijn met voor niet aan er om ook als dan maar bij nog uit door naar heeft ze hij worden wordt of tot over je was die deze meer kan wat geen zo hebben ik we dit moet',
  pl: 'i w nie na się z do to że jest o jak a po co ale od za by tym tego dla czy już są przez jej jego tylko być może które który bardzo jako ma oraz przy więc ich tak te ten',
  sv: 'och i att det som en på är av för med den till inte har de om ett han men var jag sig från vi så kan när år också eller efter nu över man finns andra skulle hade mycket',
  tr: 've bir bu da de için ile çok olarak daha olan gibi en kadar sonra ama ne var ya ise her o ki mi değil olduğu şey ben göre veya',
} as const

/** Languages that have a word among their commonest. */
export const languageWords: ReadonlyMap<string, readonly string[]> = (() => {
  const languages = new Map<string, string[]>()
  for (const [language, words] of Object.entries(COMMON)) {
    for (const word of new Set(words.split(' '))) languages.set(word, [...(languages.get(word) ?? []), language])
  }
  return languages
})()
