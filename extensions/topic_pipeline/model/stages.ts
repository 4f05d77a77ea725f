/** How far a topic is: `scanned` → `extracted` → `analyzed` or `rejected`; both last go back to `extracted` when analysed anew. */
export const TOPIC_STAGES = ['analyzed', 'extracted', 'rejected', 'scanned'] as const
export type TopicStage = (typeof TOPIC_STAGES)[number]

/** `PARTIAL`: some text, but not the whole piece, as with a video's description. */
export type ExtractionStatus = 'PENDING' | 'COMPLETED' | 'PARTIAL' | 'FAILED'

/** What a job does. */
export const JOB_STAGES = ['EXTRACT', 'ANALYZE', 'GENERATE'] as const
export type JobStage = (typeof JOB_STAGES)[number]

/** How a job is: PENDING → PROCESSING → COMPLETED, or PENDING again with a later time, or FAILED. */
export const JOB_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

export const OUTPUT_FORMATS = ['blog_post', 'youtube_script', 'linkedin_post', 'newsletter'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** What kind of writing an upload is; informational. */
export const CONTENT_TYPES = ['blog_post', 'transcript', 'newsletter'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]
