import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { typeOfPicture } from '../../../domain/rooms/picture.js';
import type { PictureStore } from './store.js';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Of another provider than AWS; null for theirs. */
  endpoint: string | null;
  /** Null for the identity of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/** How long one attempt of three may take: somebody waits for the page. */
const REQUEST_MS = 5_000;

/**
 * Pictures as objects of a bucket. The service alone reads and writes them: the
 * bucket needs no public access.
 */
export function s3Store({ bucket: Bucket, region, endpoint, credentials }: S3Settings): PictureStore {
  const client = new S3Client({
    region,
    maxAttempts: 3,
    requestHandler: { requestTimeout: REQUEST_MS, connectionTimeout: REQUEST_MS },
    ...(credentials && { credentials }),
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Other providers than AWS do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    async put(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: typeOfPicture(Key) }));
    },
    async get(Key) {
      try {
        const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return { bytes: ContentLength!, content: Body as Readable };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
