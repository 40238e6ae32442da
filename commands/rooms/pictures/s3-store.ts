import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { typeOfStored } from '../../../domain/rooms/picture.js';
import type { PictureStore } from './store.js';

export interface S3Settings {
  bucket: string;
  region: string;
  /** The endpoint of a provider other than AWS; null for AWS. */
  endpoint: string | null;
  /** Null to use the machine's identity. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/** The time limit of each of three attempts, since somebody waits for the page. */
const REQUEST_MS = 5_000;

/**
 * Stores pictures as objects in a bucket. Only the service reads and writes them, so the bucket needs no
 * public access.
 */
export function s3Store({ bucket: Bucket, region, endpoint, credentials }: S3Settings): PictureStore {
  const client = new S3Client({
    region,
    maxAttempts: 3,
    requestHandler: { requestTimeout: REQUEST_MS, connectionTimeout: REQUEST_MS },
    ...(credentials && { credentials }),
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Providers other than AWS do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    async put(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: typeOfStored(Key) }));
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
