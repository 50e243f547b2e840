package weaviate

import (
	"context"
	"net"
	"time"

	"github.com/weaviate/weaviate-go-client/v5/weaviate/db"
	grpcbatch "github.com/weaviate/weaviate-go-client/v5/weaviate/grpc/batch"
	"github.com/weaviate/weaviate/entities/models"
	pb "github.com/weaviate/weaviate/grpc/generated/protocol/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"seam/proxy/remote"
)

// batches sends chunks over gRPC. It uses the client's messages on its own connection,
// because the client's connection neither ends when its host has gone nor reconnects soon.
type batches struct {
	conn *grpc.ClientConn
	key  string
}

func newBatches(host, key string) (*batches, error) {
	conn, err := grpc.NewClient("passthrough:///"+host, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, host string) (c net.Conn, err error) {
			return remote.Dialer().DialContext(ctx, "tcp", host)
		}),
		grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: healthWithin,
			Backoff: backoff.Config{BaseDelay: 200 * time.Millisecond, Multiplier: 1.6, Jitter: .2, MaxDelay: healthWithin}}))
	if err != nil {
		return nil, err
	}
	return &batches{conn, key}, nil
}

// send writes objects like the client does.
func (b *batches) send(ctx context.Context, objects []*models.Object, level string) ([]models.ObjectsGetResponse, error) {
	form := grpcbatch.New(db.NewGRPCVersionSupport(db.NewVersionProvider(func() string { return oldest })))
	all, err := form.GetBatchObjects(objects)
	if err != nil {
		return nil, err
	}
	if b.key != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+b.key)
	}
	reply, err := pb.NewWeaviateClient(b.conn).BatchObjects(ctx, &pb.BatchObjectsRequest{Objects: all, ConsistencyLevel: form.GetConsistencyLevel(level)})
	if err != nil {
		return nil, err
	}
	return form.ParseReply(reply, objects), nil
}

// oldest is the first version of Weaviate that accepts vectors as bytes.
const oldest = "1.23.0"
